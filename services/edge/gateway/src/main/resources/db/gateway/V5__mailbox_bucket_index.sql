-- expand: pages of a bucket; CONCURRENTLY, so that posts go on, and alone, because it takes no transaction
CREATE INDEX CONCURRENTLY mailbox_bucket ON mailbox (bucket, sequence);
