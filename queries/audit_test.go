package queries_test

import (
	"os"
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
)

// Every rule of the registry has a case that breaks it: a rule that audit never
// evaluates would be one that nothing can break.
func TestEveryAuditRuleIsBrokenByACase(t *testing.T) {
	text, err := os.ReadFile("testdata/audit/audit.test")
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	if err := duck.Exec(t.Context(), db, "audit_rules", s.File("audit_rules").SQL); err != nil {
		t.Fatal(err)
	}
	rules, err := duck.Query(t.Context(), db, "audit_rules", "SELECT rule FROM audit_rules")
	if err != nil {
		t.Fatal(err)
	}
	if len(rules.Rows) == 0 {
		t.Fatal("no rules")
	}
	for _, r := range rules.Rows {
		rule := r[0].(string)
		if !strings.Contains(string(text), rule+",note,") && !strings.Contains(string(text), rule+",fault,") {
			t.Errorf("no case of audit.test breaks %s", rule)
		}
	}
}
