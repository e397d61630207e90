-- A search asks which months of its states are held from any source: by the key, which has the source first, it read those of all states.
CREATE INDEX "coverage_state_month_idx" ON "coverage" ("state", "month");
