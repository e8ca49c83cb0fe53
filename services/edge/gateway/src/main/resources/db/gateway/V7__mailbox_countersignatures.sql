-- expand: the signatures of the authorities' replicas on lists of mail tables, each as a note
CREATE TABLE mailbox_countersignature (
    closed    bigint   NOT NULL REFERENCES mailbox_list ON DELETE CASCADE,
    authority smallint NOT NULL,
    note      text     NOT NULL,
    PRIMARY KEY (closed, authority)
);
