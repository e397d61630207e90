-- Complete reports whose document is not rendered yet: the sweeper asks for them again.
CREATE INDEX reports_unprinted ON reports (issued_at) WHERE status = 'complete' AND pdf_status IS NULL;
