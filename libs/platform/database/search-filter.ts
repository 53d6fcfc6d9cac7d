/** Matches records where any field contains the term, without regard to case; the term is literal text, not a pattern. */
export function searchFilter(term: string | undefined, fields: readonly string[]): Record<string, unknown> {
  if (term === undefined || term === '') return {};
  const escaped = term.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
  return { $or: fields.map((field) => ({ [field]: { $regex: escaped, $options: 'i' } })) };
}
