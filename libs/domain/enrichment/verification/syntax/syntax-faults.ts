/** What makes a text no address at all. */
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

/** What RFC 5322 lets a header hold around or inside an address, and SMTP does not take. */
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

/** What is within the grammar and unusual: a domain without a dot, a last label that is a number. */
export type SyntaxRemark = 'single_label' | 'numeric_tld';
