/** Titles before a name, without their dot. */
export const TITLES: ReadonlySet<string> = createSet(
  'dr prof mr mrs ms miss mx sir herr frau dipl-ing dipl ing mag m mme mlle monsieur madame me sr sra srta dra don doña eng sig sig.ra dott dott.ssa avv drs ir mevr dhr mw',
);

/** Words of display names and local parts that do not belong to persons. */
export const ROLE_NAMES: ReadonlySet<string> = createSet(
  'info sales support contact hello hi office team teams admin administrator billing accounts accounting finance invoice invoices marketing newsletter news press media ' +
    'help helpdesk service services customer care hr jobs careers career recruiting legal privacy abuse postmaster webmaster hostmaster noreply no-reply donotreply mailer ' +
    'mail email it ops operations dev test demo booking bookings reservations orders order shop store partners partner outreach growth welcome enquiries inquiries reception ' +
    'kontakt vertrieb buchhaltung rechnung personal kundenservice büro buero verkauf einkauf bewerbung empfang ' +
    'contacto ventas soporte facturacion administracion hola contato vendas suporte financeiro comercial atendimento ' +
    'ventes compta comptabilite facturation accueil bonjour contatti vendite amministrazione assistenza fatturazione verkoop administratie klantenservice facturatie ' +
    'gmbh ag kg ug mbh inc ltd llc llp plc corp company co sarl sas sa srl spa bv nv lda group holding the and und',
);

function createSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
