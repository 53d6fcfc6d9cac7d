/** Case-insensitive literal substring over any of the fields; the term is never read as a pattern. */
export function searchFilter(term: string | undefined, fields: readonly string[]): Record<string, unknown> {
  if (term === undefined || term === '') return {};
  const escaped = term.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
  return { $or: fields.map((field) => ({ [field]: { $regex: escaped, $options: 'i' } })) };
}
