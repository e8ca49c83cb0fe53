// Amounts as people write and read them. All arithmetic is on minor units.

const LIMIT = 1n << 63n;

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount in minor units, as the language writes it. */
export function money(minor: bigint, currency: string, language: string): string {
  const digits = digitsOf(currency);
  const unit = 10n ** BigInt(digits);
  const size = minor < 0n ? -minor : minor;
  const decimal = `${minor < 0n ? '-' : ''}${size / unit}${digits === 0 ? '' : `.${String(size % unit).padStart(digits, '0')}`}`;
  // a text, because a number has 53 bits
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(decimal as Intl.StringNumericLiteral);
}

/** Minor units of what somebody wrote, with a comma or a point before the cents. Undefined if it is no amount above zero. */
export function parseMoney(text: string, currency: string): bigint | undefined {
  const digits = digitsOf(currency);
  const read = /^(\d{1,15})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  const [, whole, part = ''] = read ?? [];
  if (whole === undefined || part.length > digits) return undefined;
  const minor = BigInt(whole + part.padEnd(digits, '0'));
  return minor > 0n && minor < LIMIT ? minor : undefined;
}

/** An amount as a field of a form has it. */
export function plain(minor: bigint, currency: string, language: string): string {
  const digits = digitsOf(currency);
  const unit = 10n ** BigInt(digits);
  const point = language === 'de' ? ',' : '.';
  return `${minor / unit}${digits === 0 ? '' : `${point}${String(minor % unit).padStart(digits, '0')}`}`;
}
