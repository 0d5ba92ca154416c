package build

import (
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/analyze/inference"
	"aircheck/internal/analyze/robust"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/nearest"
	"aircheck/queries"
)

// Node is one thing that the builder makes, in one dependency graph: a source
// (rows that Go wrote: the dataset and what was decoded from it), a step (a
// table that Go computes), or an SQL file.
type Node struct {
	Name   string
	Needs  []string
	Source []duck.Column // columns of a source
	docs   map[string]string
	events bool // whether the source is decoded only when events are asked for
	Step   *inference.Step
	File   *queries.File
}

// Graph lists all nodes, each after those that it needs. Without files it is made
// of those of package queries.
func Graph(files []queries.File) ([]Node, error) {
	if files == nil {
		var err error
		if files, err = queries.Files(); err != nil {
			return nil, err
		}
	}
	nodes := sources()
	for _, s := range append(inference.Steps(), robust.Step) {
		nodes = append(nodes, Node{Name: s.Name, Needs: s.Needs, Step: s})
	}
	for i := range files {
		nodes = append(nodes, Node{Name: files[i].Name, Needs: files[i].Needs, File: &files[i]})
	}
	return sorted(nodes)
}

// sorted orders nodes by what they need, and alphabetically where that leaves
// a choice, since order in SQL texts and messages must not change from run to run.
func sorted(nodes []Node) ([]Node, error) {
	byName := map[string]*Node{}
	var names []string
	for i := range nodes {
		n := &nodes[i]
		if byName[n.Name] != nil {
			return nil, fmt.Errorf("queries: two definitions of %s", n.Name)
		}
		byName[n.Name] = n
		names = append(names, n.Name)
	}
	slices.Sort(names)
	const open, done = 1, 2
	state := map[string]int{}
	var out []Node
	var visit func(name string, from []string) error
	visit = func(name string, from []string) error {
		n := byName[name]
		if n == nil {
			err := fmt.Errorf("queries: %s needs %s, which does not exist", from[len(from)-1], name)
			if near := nearest.Likely(name, names); near != "" {
				err = fmt.Errorf("%w; the nearest name is %s", err, near)
			}
			return err
		}
		switch state[name] {
		case done:
			return nil
		case open:
			return fmt.Errorf("queries: %s needs itself: %s", name, strings.Join(append(from, name), " → "))
		}
		state[name] = open
		for _, need := range n.Needs {
			if err := visit(need, append(from, name)); err != nil {
				return err
			}
		}
		state[name] = done
		out = append(out, *n)
		return nil
	}
	for _, name := range names {
		if err := visit(name, nil); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Key is the columns that identify a row of the node's table; none where it
// has no rows of its own.
func (n *Node) Key() []string {
	switch {
	case n.Step != nil:
		return n.Step.Key
	case n.File != nil:
		return n.File.Key
	}
	return nil
}

// stored says what the builder keeps of the node.
func (n *Node) stored() queries.Stored {
	switch {
	case n.Step != nil:
		return queries.Once
	case n.File != nil:
		return n.File.Stored
	}
	return queries.Never
}

// Empty is the statement that creates the node's table without rows, for a
// source or a step: what tests load SQL files on.
func (n *Node) Empty() string {
	columns := ""
	if n.Step != nil {
		columns = n.Step.Columns
	} else {
		var list []string
		for _, c := range n.Source {
			list = append(list, duck.Ident(c.Name)+" "+c.Type)
		}
		columns = strings.Join(list, ", ")
	}
	return fmt.Sprintf("CREATE TABLE %s (%s)", n.Name, columns)
}

// closure lists the named nodes and all that they need, in the graph's order.
func closure(nodes []Node, names ...string) []Node {
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	var out []Node
	for i := len(nodes) - 1; i >= 0; i-- {
		if want[nodes[i].Name] {
			for _, need := range nodes[i].Needs {
				want[need] = true
			}
			out = append(out, nodes[i])
		}
	}
	slices.Reverse(out)
	return out
}
