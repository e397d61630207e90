// Merkle proofs by golang.org/x/mod/sumdb/tlog, an implementation that shares nothing with this one.
// Entries are the decimal numbers 0, 1, 2 ... For each line "SIZE INDEX OLD" of its input it prints one JSON object with the root, the
// inclusion proof of INDEX, the root of OLD, the proof that the tree of SIZE grew out of that of OLD, and tlog's own verdict on both.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

type answer struct {
	Size        int64    `json:"size"`
	Index       int64    `json:"index"`
	Old         int64    `json:"old"`
	Root        string   `json:"root"`
	OldRoot     string   `json:"old_root"`
	Inclusion   []string `json:"inclusion"`
	Consistency []string `json:"consistency"`
}

func main() {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = stored[index]
		}
		return hashes, nil
	})
	var size int64
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked answer
		if _, err := fmt.Sscan(lines.Text(), &asked.Size, &asked.Index, &asked.Old); err != nil {
			fail(err)
		}
		for ; size < asked.Size; size++ {
			hashes, err := tlog.StoredHashes(size, []byte(fmt.Sprint(size)), reader)
			if err != nil {
				fail(err)
			}
			stored = append(stored, hashes...)
		}
		root, err := tlog.TreeHash(asked.Size, reader)
		if err != nil {
			fail(err)
		}
		old, err := tlog.TreeHash(asked.Old, reader)
		if err != nil {
			fail(err)
		}
		inclusion, err := tlog.ProveRecord(asked.Size, asked.Index, reader)
		if err != nil {
			fail(err)
		}
		consistency, err := tlog.ProveTree(asked.Size, asked.Old, reader)
		if err != nil {
			fail(err)
		}
		if err := tlog.CheckRecord(inclusion, asked.Size, root, asked.Index, tlog.RecordHash([]byte(fmt.Sprint(asked.Index)))); err != nil {
			fail(err)
		}
		if err := tlog.CheckTree(consistency, asked.Size, root, asked.Old, old); err != nil {
			fail(err)
		}
		asked.Root, asked.OldRoot = text(root), text(old)
		asked.Inclusion, asked.Consistency = texts(inclusion), texts(consistency)
		if err := out.Encode(asked); err != nil {
			fail(err)
		}
	}
}

func text(hash tlog.Hash) string { return base64.StdEncoding.EncodeToString(hash[:]) }

func texts(hashes []tlog.Hash) []string {
	all := make([]string, len(hashes))
	for i, hash := range hashes {
		all[i] = text(hash)
	}
	return all
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
