package dump

import (
	"fmt"
	"strconv"
	"strings"
)

// DebugItem is one line of a file that Mesa's GALLIUM_DDEBUG writes for a draw
// (dd_draw.c): a struct in the form of AppendUtilText, or a number.
type DebugItem struct {
	// Shader is the stage that the item stands under, "VERTEX", "" for none.
	Shader string
	// Name is what the line begins with: draw_info, stream_output_target, offset.
	Name string
	// Index is the slot behind the name, -1 for none.
	Index int
	// Of says that the line is indented: it tells of the item before.
	Of bool
	// Equals says that the line has an equals sign, not a colon.
	Equals bool
	// Text is the value, for ParseUtilText when it is a struct.
	Text string
}

// AppendDebug appends items in the form of GALLIUM_DDEBUG, without colours.
func AppendDebug(b []byte, items []DebugItem) []byte {
	shader := ""
	for _, i := range items {
		if i.Shader != shader && shader != "" {
			b = fmt.Appendf(b, "end shader: %s\n\n", shader)
		}
		if i.Shader != shader && i.Shader != "" {
			b = fmt.Appendf(b, "begin shader: %s\n", i.Shader)
		}
		shader = i.Shader
		if i.Of {
			b = append(b, "  "...)
		}
		b = append(b, i.Name...)
		if i.Index >= 0 {
			b = strconv.AppendInt(append(b, ' '), int64(i.Index), 10)
		}
		if i.Equals {
			b = append(b, " = "...)
		} else {
			b = append(b, ": "...)
		}
		b = append(append(b, i.Text...), '\n')
	}
	if shader != "" {
		b = fmt.Appendf(b, "end shader: %s\n\n", shader)
	}
	return b
}

// ParseDebug reads the items of a file that GALLIUM_DDEBUG wrote, with or
// without colours. Lines of another form, such as those of a kernel's log, are
// passed over. The error is for a text in quotes that does not end.
func ParseDebug(text []byte) ([]DebugItem, error) {
	var items []DebugItem
	shader, open, line := "", -1, 0
	for s := range strings.Lines(string(text)) {
		line++
		if open >= 0 { // within the text of a shader
			items[len(items)-1].Text += strings.TrimSuffix(s, "\n")
			if strings.HasPrefix(s, `"`) {
				open = -1
				continue
			}
			items[len(items)-1].Text += "\n"
			continue
		}
		s = strings.TrimSuffix(withoutColour(s), "\n")
		if name, ok := strings.CutPrefix(s, "begin shader: "); ok {
			shader = name
			continue
		}
		if strings.HasPrefix(s, "end shader: ") {
			shader = ""
			continue
		}
		item, ok := debugItem(s)
		if !ok {
			continue
		}
		item.Shader = shader
		if strings.HasSuffix(item.Text, `= "`) {
			open = line
			item.Text += "\n"
		}
		items = append(items, item)
	}
	if open >= 0 {
		return items, fmt.Errorf("line %d: the text in quotes does not end", open)
	}
	return items, nil
}

// debugItem reads NAME: VALUE, NAME INDEX: VALUE or NAME = VALUE.
func debugItem(s string) (DebugItem, bool) {
	item := DebugItem{Index: -1, Of: strings.HasPrefix(s, "  ")}
	s = strings.TrimSpace(s)
	colon, equals := strings.Index(s, ": "), strings.Index(s, " = ")
	at, size := colon, 2
	if equals >= 0 && (colon < 0 || equals < colon) {
		at, size, item.Equals = equals, 3, true
	}
	if at <= 0 {
		return item, false
	}
	item.Name, item.Text = s[:at], s[at+size:]
	if space := strings.LastIndexByte(item.Name, ' '); space >= 0 {
		if n, err := strconv.Atoi(item.Name[space+1:]); err == nil && n >= 0 {
			item.Name, item.Index = item.Name[:space], n
		}
	}
	return item, !strings.ContainsAny(item.Name, "{}\"")
}

// withoutColour drops the codes that colour headings.
func withoutColour(s string) string {
	for {
		start := strings.Index(s, "\x1b[")
		if start < 0 {
			return s
		}
		end := strings.IndexByte(s[start:], 'm')
		if end < 0 {
			return s
		}
		s = s[:start] + s[start+end+1:]
	}
}
