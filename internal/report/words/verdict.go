package words

// Verdict is how people read a verdict of the views: supported, tendency or
// undecided.
func Verdict(v string) string {
	switch v {
	case "supported":
		return Later("clear")
	case "tendency":
		return Later("leaning")
	}
	return Later("cannot tell")
}
