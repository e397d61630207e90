-- A report that takes an older one up again is free: it names the one that was paid for, which notes when it was last taken up.
ALTER TABLE "reports" ADD COLUMN "refreshes" UUID, ADD COLUMN "refreshed_at" TIMESTAMPTZ(3);

-- One that refreshes another has no charge, and nothing to be returned.
CREATE OR REPLACE VIEW invariant_violations AS
  SELECT 'balance_is_sum_of_ledger' AS invariant, t.id AS team_id, t.id::text AS subject,
         format('balance %s, ledger %s', t.balance, coalesce(sum(c.amount), 0)) AS detail
    FROM teams t LEFT JOIN credit_transactions c ON c.team_id = t.id
   GROUP BY t.id HAVING t.balance <> coalesce(sum(c.amount), 0)
UNION ALL
  SELECT 'balance_after_is_running_sum', team_id, id::text, format('balance_after %s, running sum %s', balance_after, running)
    FROM (SELECT *, sum(amount) OVER (PARTITION BY team_id ORDER BY sequence) AS running FROM credit_transactions) c
   WHERE balance_after <> running
UNION ALL
  SELECT 'ledger_sequence_has_no_gap', t.id, t.id::text, format('sequence %s, rows %s', t.ledger_sequence, count(c.id))
    FROM teams t LEFT JOIN credit_transactions c ON c.team_id = t.id
   GROUP BY t.id HAVING t.ledger_sequence <> count(c.id) OR t.ledger_sequence <> coalesce(max(c.sequence), 0)
UNION ALL
  SELECT 'report_has_one_spend', r.team_id, r.id::text, 'no spend row names this report'
    FROM reports r
   WHERE r.refreshes IS NULL AND NOT EXISTS (SELECT FROM credit_transactions c WHERE c.report_id = r.id AND c.kind = 'spend' AND c.team_id = r.team_id)
UNION ALL
  SELECT 'failed_report_is_refunded', r.team_id, r.id::text, 'failed without a refund row'
    FROM reports r
   WHERE r.status = 'failed' AND r.refreshes IS NULL AND NOT EXISTS (SELECT FROM credit_transactions c WHERE c.report_id = r.id AND c.kind = 'refund' AND c.team_id = r.team_id)
UNION ALL
  SELECT 'only_failed_reports_are_refunded', c.team_id, c.report_id::text, 'a refund for a report that did not fail'
    FROM credit_transactions c JOIN reports r ON r.id = c.report_id
   WHERE c.kind = 'refund' AND r.status <> 'failed'
UNION ALL
  SELECT 'event_count_is_cited_records', r.team_id, r.id::text, format('event_count %s, cited records %s', r.event_count, count(c.position))
    FROM reports r LEFT JOIN report_records c ON c.report_id = r.id
   GROUP BY r.team_id, r.id HAVING r.event_count <> count(c.position)
UNION ALL
  SELECT 'pending_report_has_a_job', r.team_id, r.id::text, format('pending since %s without a job', r.issued_at)
    FROM reports r
   WHERE r.status = 'pending' AND r.issued_at < now() - interval '90 seconds'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.name = 'report.generate' AND o.payload ->> 'report_id' = r.id::text)
UNION ALL
  SELECT 'delivery_lease_ends', d.team_id, d.id::text, format('leased until %s', d.leased_until)
    FROM deliveries d
   WHERE d.status IN ('queued', 'retrying') AND d.leased_until < now() - interval '90 seconds'
UNION ALL
  SELECT 'property_has_one_primary_contact', c.team_id, c.property_id::text, 'contacts without a primary one'
    FROM contacts c GROUP BY c.team_id, c.property_id HAVING NOT bool_or(c."primary");
