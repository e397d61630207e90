-- Both write with the right of the tables' owner. A role that may call them could hang them on a temporary table of its own, and have written
-- what it likes: firing the triggers that are there asks for no right.
REVOKE EXECUTE ON FUNCTION count_observations(), begin_audit_chain() FROM PUBLIC;
