import { type TemplateNeed } from '@domain/campaigns';

/** What a placeholder asks for, as in "a …" and "no …". */
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

/** Names, each once. */
export function getNames(needs: readonly TemplateNeed[]): string[] {
  return [...new Set(needs.map(({ name }) => name))];
}
