/**
 * `html`: values are escaped. `text`: several lines of plain text. `subject`: one line of plain text, whatever the values are.
 */
export type TemplateKind = 'html' | 'text' | 'subject';

/**
 * Where a value is put: among text, into a link that has begun before it, or where a link begins, so that it decides where
 * the link leads to.
 */
export type TemplatePlace = 'text' | 'in-link' | 'link';

/** A value that has to be there, because its placeholder has no default. */
export interface TemplateNeed {
  readonly name: string;
  readonly place: TemplatePlace;
}

/** A mistake in a source. Line and column count from 1, columns in UTF-16 units as editors do. */
export interface TemplateError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Stands for a value; the fallback is fit for the kind of the template already, null when there is none. */
export interface VariablePart {
  readonly type: 'variable';
  readonly name: string;
  readonly fallback: string | null;
  readonly place: TemplatePlace;
}

/** One of the options, which are fit for the kind of the template already. `position`: the how manieth spin it is, from 0. */
export interface SpinPart {
  readonly type: 'spin';
  readonly options: readonly string[];
  readonly position: number;
}

export type TemplatePart = string | VariablePart | SpinPart;

/** A template that was found to be right, parsed once and rendered as often as one likes. */
export interface Template {
  readonly kind: TemplateKind;
  /** Names of all variables, each once, in order of appearance. */
  readonly variables: readonly string[];
  /** What it cannot do without, each once, in order of appearance. */
  readonly needs: readonly TemplateNeed[];
  readonly parts: readonly TemplatePart[];
}

export type CompiledTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly errors: readonly TemplateError[] };

export type RenderedTemplate =
  | { readonly ok: true; readonly text: string }
  /** What has neither a value that can stand there nor a default, each once. */
  | { readonly ok: false; readonly missing: readonly TemplateNeed[] };

/** Whether the template asks for a variable. */
export function usesVariable(template: Template, name: string): boolean {
  return template.variables.includes(name);
}
