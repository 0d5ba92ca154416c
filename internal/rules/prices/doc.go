// Package prices holds the dated price table and what one request costs by it.
//
// A table is a file in the form of genai-prices v2 (a list of providers, each
// with its models, each with matching clauses and prices in US dollars per
// million tokens), as JSON or YAML. [Embedded] is the project's own, built from
// public facts by prices/gen; [Load] reads one that a user wrote, strictly.
//
// The form may be wrapped to say when it was true, and is extended by three
// keys; a plain v2 list is a valid table:
//
//	as_of: 2026-08-13          # the day on which every price below was true
//	grace_days: 92             # how far from a stated day a price is trusted
//	sources: [where from]
//	providers:
//	  - id: moonshotai
//	    aliases: [moonshot, kimi]        # other names that plans use
//	    models:
//	      - id: kimi-k2                  # match: {equals: kimi-k2} if left out
//	        prices:
//	          - prices: {input_mtok: 0.6, output_mtok: 2.5}
//	          - constraint: {start_date: 2026-09-01, service_tier: priority}
//	            prices: {input_mtok: 1.2, output_mtok: 5}
//
// Money is whole nano-dollars. A price that is not in the table is no price:
// [Table.Price] says what is missing, and never answers 0 for it.
package prices
