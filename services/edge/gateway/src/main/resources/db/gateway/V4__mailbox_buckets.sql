-- expand: a message may name a bucket of the mailbox; those of older wallets are in 1, the whole
-- A node of a binary tree of 6 levels below 1, so 1 to 127: the parts of n are 2n and 2n + 1.
ALTER TABLE mailbox ADD COLUMN bucket smallint NOT NULL DEFAULT 1;
