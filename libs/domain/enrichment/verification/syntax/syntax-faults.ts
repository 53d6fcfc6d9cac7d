/** Faults that make a text an invalid address. */
export const SYNTAX_FAULTS = [
  'empty',
  'no_at',
  'second_at',
  'no_local_part',
  'no_domain',
  'local_dots',
  'local_character',
  'local_too_long',
  'domain_dots',
  'domain_character',
  'label_hyphen',
  'label_too_long',
  'not_idna',
  'address_too_long',
  'unclosed_quote',
  'unclosed_comment',
  'unclosed_literal',
  'backslash_at_end',
  'text_after_quote',
  'text_after_space',
  'text_after_literal',
  'line_break',
  'control_character',
  'hidden_character',
] as const;
export type SyntaxFault = (typeof SYNTAX_FAULTS)[number];

/** Forms that RFC 5322 allows in a header, and SMTP does not. */
export const HEADER_FORMS = [
  'comment',
  'white_space',
  'obsolete_spacing',
  'obsolete_local_part',
  'obsolete_text',
  'quoted_pair',
  'domain_atom',
  'domain_literal',
] as const;
export type HeaderForm = (typeof HEADER_FORMS)[number];

/** Valid but unusual: a domain without a dot, a numeric last label. */
export type SyntaxRemark = 'single_label' | 'numeric_tld';
