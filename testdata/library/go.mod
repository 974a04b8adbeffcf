module example.org/library

go 1.26

require github.com/outflow-gpu/outflow v0.0.0

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
)

replace github.com/outflow-gpu/outflow => ../..
