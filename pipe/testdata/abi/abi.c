/* Prints, for each C form of the stream output info, the bytes of one object
 * that holds known values: the vectors of abi_test.go.
 *
 *     gcc -Wall -o abi abi.c && ./abi > vectors.txt
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define U unsigned
#define ENTRY_MASK  struct { U reg:8, mask:4, buf:4; }
#define ENTRY_2012  struct { U reg:8, start:2, num:3, buf:3, dst:16; }
#define ENTRY_2014  struct { U reg:8, start:2, num:3, buf:3, dst:16, stream:2; }
#define ENTRY_2017  struct { U reg:6, start:2, num:3, buf:3, dst:16, stream:2; }

#define DRAFT(n) struct { int buf[n]; int reg[n]; unsigned char mask[n]; int num_outputs; U stride; }

static void print(const char *name, const void *p, size_t n)
{
   const unsigned char *b = p;
   printf("%s %zu ", name, n);
   while (n > 0 && b[n - 1] == 0)
      n--;
   for (size_t i = 0; i < n; i++)
      printf("%02x", b[i]);
   printf("\n");
}

/* Three outputs: register 5 xyz, register 7 y or xz, register 31 xyzw. */
#define FILL_DRAFT(name, n) do { \
   DRAFT(n) s; memset(&s, 0, sizeof s); \
   s.reg[0] = 5;  s.mask[0] = 7; \
   s.reg[1] = 7;  s.mask[1] = 5; \
   s.reg[2] = 31; s.mask[2] = 15; \
   s.num_outputs = 3; s.stride = 11; \
   print(name, &s, sizeof s); \
   s.buf[1] = 2; s.stride = 0; \
   print(name "/buffers", &s, sizeof s); \
} while (0)

#define FILL(name, n, entry, stride_t, streams, big) do { \
   struct { U num_outputs; stride_t stride[4]; entry output[n]; } s; \
   memset(&s, 0, sizeof s); \
   s.num_outputs = 3; \
   s.stride[0] = 300; s.stride[1] = 65535; s.stride[3] = 7; \
   s.output[0].reg = 5;   s.output[0].num = 3; s.output[0].dst = 4; \
   s.output[1].reg = 7;   s.output[1].start = 1; s.output[1].num = 1; s.output[1].buf = 3; s.output[1].dst = 6; \
   s.output[2].reg = big; s.output[2].num = 4; s.output[2].buf = 1; s.output[2].dst = 65531; \
   streams \
   print(name, &s, sizeof s); \
} while (0)

int main(void)
{
   FILL_DRAFT("2010-06", 16);
   FILL_DRAFT("2010-07", 32);
   {
      struct { U num_outputs; U stride; ENTRY_MASK output[32]; } s;
      memset(&s, 0, sizeof s);
      s.num_outputs = 3; s.stride = 11;
      s.output[0].reg = 5;   s.output[0].mask = 7;
      s.output[1].reg = 7;   s.output[1].mask = 5;
      s.output[2].reg = 255; s.output[2].mask = 15;
      print("2011-12", &s, sizeof s);
      s.output[1].buf = 2; s.stride = 0;
      print("2011-12/buffers", &s, sizeof s);
   }
   FILL("2012-01", 32, ENTRY_2012, U, , 255);
   FILL("2012-10", 48, ENTRY_2012, U, , 255);
   FILL("2013-04", 64, ENTRY_2012, U, , 255);
   FILL("2014-07", 64, ENTRY_2014, U, s.output[1].stream = 2; s.output[2].stream = 3;, 255);
   FILL("2017-04", 64, ENTRY_2017, uint16_t, s.output[1].stream = 2; s.output[2].stream = 3;, 63);
   FILL("2023-08", 128, ENTRY_2017, uint16_t, s.output[1].stream = 2; s.output[2].stream = 3;, 63);
   return 0;
}
