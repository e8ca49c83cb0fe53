-- expand: what a list says of a person besides names and years
-- What a list says of a person besides names and years. Versions that were imported before have none of it.
ALTER TABLE listed_entry
    ADD COLUMN birth_dates   date[] NOT NULL DEFAULT '{}',
    ADD COLUMN documents     text[] NOT NULL DEFAULT '{}',
    ADD COLUMN nationalities text[] NOT NULL DEFAULT '{}',
    ADD COLUMN gender        text   NOT NULL DEFAULT '';
