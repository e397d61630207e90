-- The newest runs of every lane and the newest imports of every source are shown, and the oldest forgotten: neither reads the rest.
CREATE INDEX "monitoring_runs_started_at_id_idx" ON "monitoring_runs"("started_at" DESC, "id" DESC);
CREATE INDEX "import_runs_started_at_id_idx" ON "import_runs"("started_at" DESC, "id" DESC);

-- Who was told of a warning, in every team: asked for with each of its messages.
CREATE INDEX exposures_warning_key ON exposures (warning_key) WHERE kind = 'warning';
