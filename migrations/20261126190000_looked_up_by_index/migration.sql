-- Records that were read before plausibility was judged: none, once each file was read again. To look for those of a year would else go through
-- every record of its source, wherever the database's own order of letters keeps a prefix from being looked up.
CREATE INDEX archive_records_unchecked ON archive_records (source, left(source_key, 4))
 WHERE caveats IS NULL AND withdrawn_at IS NULL AND evidence_kind <> 'radar' AND source <> 'sample';

-- Each page of a detection asks whose back-fill is not done yet, of places that may be a hundred thousand.
CREATE INDEX lasting_jobs_backfills ON lasting_jobs ((task ->> 'subject_id')) WHERE job = 'detection.backfill';
