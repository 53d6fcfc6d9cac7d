/**
 * Names of functions, whose mail several people may read: those of RFC 2142, and common ones in companies (own list,
 * November 2026).
 */
const ROLES: ReadonlySet<string> = new Set(
  `abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp
  info marketing sales support
  admin administrator sysadmin root helpdesk help service customerservice customer-service customercare care contact contactus
  hello hi office reception mail mailbox email team all everyone staff company group
  billing accounting accounts accountspayable accounts-payable ap ar finance invoice invoices payments payroll purchasing
  procurement orders order shop store returns shipping logistics
  hr jobs job career careers recruiting recruitment recruiter talent hiring
  press media pr publicrelations newsletter editor editorial events advertising ads partners partnerships affiliates
  legal privacy dpo gdpr compliance copyright dmca
  feedback complaints enquiries enquiry inquiries inquiry questions request requests reservations reservation booking bookings
  noreply no-reply donotreply do-not-reply mailer-daemon mailerdaemon bounce bounces unsubscribe subscribe list listserv majordomo
  it tech technical engineering dev developers devops ops operations network hosting domain domains dns ssl
  board directors management secretary
  kontakt buchhaltung rechnung verkauf vertrieb bewerbung datenschutz
  contacto ventas ayuda facturacion compras
  contacter commercial facturation recrutement
  contatto vendite amministrazione`.split(/\s+/),
);

/**
 * Whether the mailbox belongs to a function rather than a person. The part after a `+` is a subaddress (RFC 5233).
 * @param local in lower case
 */
export function isRole(local: string): boolean {
  return ROLES.has(local.split('+', 1)[0] ?? '');
}
