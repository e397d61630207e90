-- Nothing is looked up in it since there is reports_unprinted_by_plan. In a transaction of its own: dropping it waits for whoever reads reports, who
-- may wait to write behind an index that is made in the same one.
DROP INDEX IF EXISTS reports_unprinted;
