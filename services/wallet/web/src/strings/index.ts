import { de } from './de.js';
import { en, type Key, type Strings } from './en.js';

export type { Key };
export type Language = 'en' | 'de';

const TABLES: Readonly<Record<Language, Strings>> = { en, de };

/** A text of the table, with its values. */
export function text(language: Language, key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return TABLES[language][key].replace(/\{([A-Z]+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** What a failure's code says to the owner. A code without a text of its own is named. */
export function failureText(language: Language, reason: string): string {
  const key = `error_${reason.replaceAll('-', '_')}`;
  return Object.hasOwn(en, key) ? text(language, key as Key) : text(language, 'error_other', { CODE: reason });
}
