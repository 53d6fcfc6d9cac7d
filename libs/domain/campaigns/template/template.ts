/**
 * `html`: values are escaped. `text`: several lines of plain text. `subject`: one line of plain text, whatever the values are.
 */
export type TemplateKind = 'html' | 'text' | 'subject';

export interface TemplateVariable {
  readonly name: string;
  /** Every use of it has a default, so that it may be missing. */
  readonly hasDefault: boolean;
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
  /** Each name once, in order of appearance. */
  readonly variables: readonly TemplateVariable[];
  readonly parts: readonly TemplatePart[];
}

export type CompiledTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly errors: readonly TemplateError[] };

export type RenderedTemplate =
  | { readonly ok: true; readonly text: string }
  /** Names that have neither a value nor a default, each once. */
  | { readonly ok: false; readonly missing: readonly string[] };

/** Whether the template asks for a variable. */
export function usesVariable(template: Template, name: string): boolean {
  return template.variables.some((variable) => variable.name === name);
}
