package limits

import "fmt"

// Limit is one bound as the documentation has it.
type Limit struct {
	What   string // is bounded
	Bound  string
	Beyond string // what happens then
	Set    string // how to configure it; "" for not at all
}

// Group is the bounds of one thing that arrives.
type Group struct {
	Of, About string
	Limits    []Limit
}

func mib(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

// Table is every bound.
func Table() []Group {
	r := Default()
	crowd := Of(Memory, 1024)
	const ours = "the request ends as `limit`, and what came is kept"
	const file = "the file is named with the bound and left out"
	const run = "the run is left out"
	memory := "`--memory`"
	return []Group{
		{"Answers that are recorded", "A request that ends as `limit` has the outcome `client_error`: it counts against no provider. The bounds follow from the memory of the run (256 MiB in this table) and the number of streams that share it.", []Limit{
			{"memory of `record run`", mib(Memory) + "; at least " + mib(LeastMemory), "a plan whose streams would take more than half of it is refused before the first request", memory},
			{"connections", "the open files of the process, which are raised as far as the system lets it", "a plan that needs more is refused before the first request", "`ulimit -n`"},
			{"the head of an answer", fmt.Sprintf("%s; %d KiB with 1,024 streams", mib(r.Head), crowd.Head>>10), ours, memory},
			{"a body", mib(r.Body), ours, memory},
			{"what a compressed body becomes", fmt.Sprintf("%s, and %d times its size past the first %s", mib(r.Inflated), DecodedRatio, mib(DecodedFree)), ours, memory},
			{"a frame", mib(r.Frame), ours, memory},
			{"frames of one body", fmt.Sprintf("%d", r.Frames), ours, memory},
			{"an open frame in memory", fmt.Sprintf("%d KiB; %d KiB with 1,024 streams", r.Held>>10, crowd.Held>>10), "its bytes go to the journal before it ends", memory},
			{"a file of the journal", "256 MiB or 5 minutes", "the next one begins, and what has ended is sealed; older files stay while a request in them is open", ""},
		}},
		{"Answers that are decoded", "By `analyze`, from data sets that any recorder or import made.", []Limit{
			{"what a compressed body becomes", mib(Decoded), "decoding stops there; the row says so, and the bytes stay", ""},
			{"one frame of it", mib(DecodedFrame), "the same", ""},
			{"its ratio, past the first " + mib(DecodedFree), fmt.Sprint(DecodedRatio), "the same", ""},
			{"history that it asks for (zstd)", mib(Window), "the same", ""},
		}},
		{"Data sets that are read", "A run beyond a bound is named and left out; the others are built.", []Limit{
			{"a run's record", fmt.Sprintf("%s, %d files, sources and the like", mib(RunRecord), RunRecordParts), run, ""},
			{"rows of one row group", fmt.Sprint(GroupRows), run, ""},
			{"bytes of one column of a row group, or of its rows", mib(GroupBytes), run, ""},
			{"a time of day", "1970 to 2200", run + "; the row is named", ""},
			{"any other number of a request", "±2^53", run + "; the row is named", ""},
			{"an interrupted query", "5 s", "the process ends", ""},
			{"an answer of `analyze sql`", "the disk, with `--memory`", "rows are spilled, and read from there in batches", "`--memory`"},
		}},
		{"Plans and other files of yours", "", []Limit{
			{"requests of one run", fmt.Sprint(PlanRequests), "the plan is refused", "several plans"},
			{"`input_tokens` of a prompt", fmt.Sprint(InputTokens), "the plan is refused", ""},
			{"a file that a plan names", mib(PlanFile), "the plan is refused", ""},
			{"a YAML or JSON file: plan, prices, aliases, checks, mappings", mib(YAML), "the file is refused", ""},
		}},
		{"Callers of the proxy", "", []Limit{
			{"a request's body", mib(ProxyBody(Memory)), "it is forwarded, counted, and not recorded", memory},
			{"requests' bodies of all callers at a time, three times their size", mib(ProxyBodies(Memory)), "the same", memory},
			{"an answer", "as above", "it is forwarded whole; recording of it ends as `limit`", memory},
			{"pairs of provider and model whose idle time is known", fmt.Sprint(ProxyLanes), "idle times begin again", ""},
		}},
		{"Files that are imported", "Beyond a bound the file, or the record, is named with the bound; the rest is imported, and the exit status is 1.", []Limit{
			{"a file that is read whole: a cassette, a response", mib(ImportWhole), file, "split it"},
			{"a record, or a line, of a file that is read record by record", mib(ImportRecord), "the record is left out", ""},
			{"a compressed file when inflated", fmt.Sprintf("%d GiB, and %d times its size past the first %s", ImportInflated>>30, ImportRatio, mib(ImportWhole)), file, "inflate it first"},
			{"history that a compressed file asks for", mib(ImportWindow), file, "inflate it first"},
			{"files of one folder or archive", fmt.Sprint(ImportMembers), file, "split it"},
			{"values that the aliases of a YAML document stand for", fmt.Sprint(ImportAliased), file, ""},
		}},
	}
}
