-- late: learnt when a newer version was already in force. A newer policy whose time has not come makes none late, and to
-- tell the two apart effective_at repeats what the note says. Rows from before count as in force, as they did.
ALTER TABLE policies ADD COLUMN effective_at timestamptz NOT NULL DEFAULT '-infinity';
ALTER TABLE policies ALTER COLUMN effective_at DROP DEFAULT;
