-- expand: finds a message that came before, by its digest; CONCURRENTLY, so that posts go on, and alone, because it takes no transaction
CREATE INDEX CONCURRENTLY mailbox_digest ON mailbox (sha256(blob));
