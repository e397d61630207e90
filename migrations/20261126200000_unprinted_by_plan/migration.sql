-- Reports of plans without documents are never printed, and stay in this index: the sweep went through all of them every fifteen seconds.
CREATE INDEX reports_unprinted_by_plan ON reports (plan_tier, issued_at) WHERE status = 'complete' AND pdf_status IS NULL;
