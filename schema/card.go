package schema

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"

	"aircheck/internal/kit/store"
)

// CardName is the page of a published dataset that describes it and lists its
// files with their checksums.
const CardName = "README.md"

// card checks that a published dataset's page lists the files that are there,
// with their checksums. A page without such a list is none of ours.
func (v *verifier) card(runs []*Run) {
	data, err := store.ReadAll(v.store, CardName, MaxRecordBytes)
	if err != nil {
		return // most datasets have none
	}
	listed := map[string][2]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		cells := strings.Split(strings.Trim(lines.Text(), "| "), "|")
		if len(cells) == 3 && strings.HasSuffix(strings.TrimSpace(cells[0]), ".parquet") {
			listed[strings.TrimSpace(cells[0])] = [2]string{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])}
		}
	}
	if len(listed) == 0 {
		return
	}
	for _, run := range runs {
		for _, f := range run.Files {
			said, ok := listed[f.Path]
			switch {
			case !ok:
				v.fault(CardName, "does not list %s", f.Path)
			case said[0] != strconv.FormatInt(f.Bytes, 10) || said[1] != f.SHA256:
				v.fault(CardName, "lists %s with another size or checksum than its run's record", f.Path)
			}
			delete(listed, f.Path)
		}
	}
	for path := range listed {
		v.fault(CardName, "lists %s, which no run has", path)
	}
}
