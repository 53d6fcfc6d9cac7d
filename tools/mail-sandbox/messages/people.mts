const FIRST = ['Anna', 'Ben', 'Chloé', 'David', 'Elif', 'Fatima', 'Georg', 'Hanna', 'Ivo', 'Jana', 'Kofi', 'Lucía'];
const LAST = [
  'Berger',
  'Costa',
  'Dubois',
  'Evans',
  'Fischer',
  'García',
  'Hansen',
  'Ito',
  'Jansen',
  'Kowalski',
  'Müller',
];

/** A person's name for an address, always the same. */
export function personName(address: string): { first: string; full: string } {
  let sum = 7;
  for (const byte of Buffer.from(address)) sum = (sum * 31 + byte) % 1_000_003;
  const first = FIRST[sum % FIRST.length] ?? '';
  return { first, full: `${first} ${LAST[sum % LAST.length] ?? ''}` };
}
