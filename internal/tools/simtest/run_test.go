package simtest

import (
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	m, _ := Print(os.Stdout, Cells([]int{8, 12, 24}, Small), 200, 2)
	for _, x := range m {
		t.Log(x)
	}
}
