-- Complete reports whose document no browser could print: the sweeper asks for them again, too.
CREATE INDEX reports_unprintable ON reports (issued_at) WHERE status = 'complete' AND pdf_status = 'failed';
