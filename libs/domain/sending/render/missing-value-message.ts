import { type TemplateNeed } from '@domain/campaigns';

/** Describes the value that a placeholder requires, as in "a …" and "no …". */
export function describeMissingValue({ name, place }: TemplateNeed): string {
  switch (place) {
    case 'text':
      return `value for {{${name}}}`;
    case 'in-link':
      return `one-line value for {{${name}}}`;
    case 'link':
      return `link (http, https, mailto or tel) for {{${name}}}`;
  }
}

/** Returns each name once. */
export function getNames(needs: readonly TemplateNeed[]): string[] {
  return [...new Set(needs.map(({ name }) => name))];
}
