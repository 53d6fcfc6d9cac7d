/**
 * `html`: values are escaped. `text`: several lines of plain text. `subject`: one line of plain text for all values.
 */
export type TemplateKind = 'html' | 'text' | 'subject';

/**
 * Place of a value: in text, inside a link that has begun, or at the start of a link. At the start, the value decides
 * the target of the link.
 */
export type TemplatePlace = 'text' | 'in-link' | 'link';

/** A variable whose placeholder has no default, so its value is required. */
export interface TemplateNeed {
  readonly name: string;
  readonly place: TemplatePlace;
}

/** A mistake in a source. Lines and columns count from 1; columns are in UTF-16 units, as in editors. */
export interface TemplateError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A placeholder of a variable. The fallback is already formatted for the kind of the template; null means no default. */
export interface VariablePart {
  readonly type: 'variable';
  readonly name: string;
  readonly fallback: string | null;
  readonly place: TemplatePlace;
}

/** A spin: one option is rendered. Options are already formatted for the kind of the template. `position` counts spins from 0. */
export interface SpinPart {
  readonly type: 'spin';
  readonly options: readonly string[];
  readonly position: number;
}

export type TemplatePart = string | VariablePart | SpinPart;

/** A valid template, parsed once and rendered many times. */
export interface Template {
  readonly kind: TemplateKind;
  /** Names of all variables, each once, in order of appearance. */
  readonly variables: readonly string[];
  /** Required variables, each once, in order of appearance. */
  readonly needs: readonly TemplateNeed[];
  readonly parts: readonly TemplatePart[];
}

export type CompiledTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly errors: readonly TemplateError[] };

export type RenderedTemplate =
  | { readonly ok: true; readonly text: string }
  /** Variables without a valid value and without a default, each once. */
  | { readonly ok: false; readonly missing: readonly TemplateNeed[] };

/** Whether the template uses the variable. */
export function usesVariable(template: Template, name: string): boolean {
  return template.variables.includes(name);
}
