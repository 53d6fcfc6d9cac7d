import { labelByRules, type Labelled } from './label-by-rules';

type Sample = readonly [text: string, label: Labelled['label'], rule?: string];

const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  en: [
    ['Sounds good, let us talk next week.', 'positive', 'sounds-good.en'],
    ["Let's talk.", 'positive', 'agrees-to-talk.en'],
    ['Good timing. When would you be free for a demo?', 'positive', 'asks-when.en'],
    ['We are looking for exactly this, who else uses it?', 'positive', 'asks-when.en'],
    ['We are not looking for exactly this.', 'negative'],
    ["I'd be happy to chat. Does Tuesday at 3pm work?", 'positive'],
    ['How about Thursday at 10:00?', 'positive', 'proposes-time.en'],
    ['Tuesday afternoon works for me.', 'positive', 'proposes-time.en'],
    ['Please send me more information.', 'positive', 'asks-for-material.en'],
    ['Could you send over your pricing and a deck?', 'positive', 'asks-for-material.en'],
    ['Tell me more', 'positive', 'asks-for-material.en'],
    ["We are interested. What's next?", 'positive', 'interested.en'],
    ['Give me a call at +1 555 123 4567.', 'positive', 'telephone.en'],
    ['Yes, please send the invite', 'positive'],
    ['Why not, happy to have a quick call', 'positive', 'agrees-to-talk.en'],
    ['Sure!', 'positive', 'agrees.en'],
    ['Not interested.', 'negative', 'not-interested.en'],
    ["We're no longer interested, thanks.", 'negative', 'not-interested.en'],
    ["I don't think we would be interested in this.", 'negative', 'not-interested.en'],
    ["I'm not really that interested at this time", 'negative', 'not-interested.en'],
    ['No thanks', 'negative', 'declines.en'],
    ['No.', 'negative', 'declines.en'],
    ["Thanks, but we'll pass.", 'negative', 'declines.en'],
    ['We already have a vendor for this.', 'negative', 'has-a-solution.en'],
    ["We don't have the budget for it", 'negative', 'no-budget.en'],
    ["It's not a good fit for us", 'negative', 'not-a-fit.en'],
    ['Sounds great but no', 'negative'],
    ['This is spam.', 'negative', 'hostile.en'],
    ["If we're interested we'll let you know.", 'other', 'nothing-recognised'],
    ['Please take me off your list', 'unsubscribe_request', 'off-the-list.en'],
    ['Remove me', 'unsubscribe_request', 'off-the-list.en'],
    ['STOP', 'unsubscribe_request', 'stop-writing.en'],
    ['Unsubscribe', 'unsubscribe_request', 'unsubscribe.en'],
    ['Stop emailing me!', 'unsubscribe_request', 'stop-writing.en'],
    ["Please don't contact me again.", 'unsubscribe_request', 'stop-writing.en'],
    ['Not interested, please remove us from your mailing list.', 'unsubscribe_request', 'off-the-list.en'],
    ['Delete my data, GDPR request', 'unsubscribe_request'],
    ["Please don't remove me from the list, I'm interested", 'positive', 'interested.en'],
    ['How do your customers unsubscribe from it?', 'neutral'],
    ["We can't stop talking about it, let's meet on Monday", 'positive', 'agrees-to-talk.en'],
    ["I'm not the right person, please contact my colleague Jim at jim@example.com", 'neutral', 'names-another.en'],
    ["I'm not the right person for this.", 'other', 'wrong-person.en'],
    ['I no longer work at Acme.', 'other', 'left-the-company.en'],
    ['Not right now, maybe reach out next quarter.', 'neutral', 'not-now.en'],
    ['Sounds interesting but the timing is bad, try again in March', 'neutral'],
    ['Who is this?', 'neutral', 'asks-who.en'],
    ['How much does it cost?', 'neutral', 'asks-price.en'],
    ['Does it integrate with Salesforce?', 'neutral', 'asks-about.en'],
    ['Thanks for the info.', 'neutral', 'thanks-only.en'],
    ["I'm on vacation until the 5th.", 'out_of_office', 'away.en'],
    ["I'm out of office until Monday, but let's talk after that", 'positive', 'agrees-to-talk.en'],
    ['Lorem ipsum dolor.', 'other', 'nothing-recognised'],
    ['Are you interested in buying our list of leads?', 'neutral'],
    ["I'd be interested to know how you got my email", 'other'],
  ],
  de: [
    ['Klingt gut, wann passt es Ihnen?', 'positive', 'sounds-good.de'],
    ['Ja, gerne. Lassen Sie uns nächste Woche telefonieren.', 'positive'],
    ['Wir haben grundsätzlich Interesse.', 'positive', 'interested.de'],
    ['Dienstag um 14 Uhr würde mir passen', 'positive', 'proposes-time.de'],
    ['Bitte senden Sie mir mehr Informationen.', 'positive', 'asks-for-material.de'],
    ['Ich bin nicht uninteressiert.', 'positive', 'mentions-interest.de'],
    ['Rufen Sie mich gerne an: 0171 1234567', 'positive'],
    ['Kein Interesse.', 'negative', 'not-interested.de'],
    ['Nein danke', 'negative', 'declines.de'],
    ['Daran sind wir nicht interessiert', 'negative', 'not-interested.de'],
    ['Wir haben derzeit keinen Bedarf.', 'negative', 'no-need.de'],
    ['Wir arbeiten bereits mit einem Partner zusammen.', 'negative', 'has-a-solution.de'],
    ['Bitte austragen!', 'unsubscribe_request', 'off-the-list.de'],
    ['Bitte nehmen Sie mich aus Ihrem Verteiler.', 'unsubscribe_request', 'off-the-list.de'],
    ['Bitte keine weiteren E-Mails mehr.', 'unsubscribe_request', 'stop-writing.de'],
    ['Bitte löschen Sie alle meine Daten gemäß DSGVO', 'unsubscribe_request'],
    ['Ich bin dafür nicht zuständig.', 'other', 'wrong-person.de'],
    ['Dafür bin ich nicht der richtige, bitte wenden Sie sich an Frau Maier.', 'neutral', 'names-another.de'],
    ['Im Moment passt es nicht, melden Sie sich im Frühjahr wieder.', 'neutral'],
    ['Was kostet das?', 'neutral', 'asks-price.de'],
    ['Woher haben Sie meine Adresse?', 'neutral', 'asks-who.de'],
    ['Vielen Dank für die Info.', 'neutral', 'thanks-only.de'],
  ],
  fr: [
    ['Cela nous intéresse, pouvons-nous en discuter ?', 'positive', 'interested.fr'],
    ['Je suis disponible mardi à 14h.', 'positive', 'proposes-time.fr'],
    ["Pouvez-vous m'envoyer plus d'informations ?", 'positive', 'asks-for-material.fr'],
    ['Avec plaisir.', 'positive', 'agrees-to-talk.fr'],
    ['Je ne suis pas intéressé.', 'negative', 'not-interested.fr'],
    ['Non merci', 'negative', 'declines.fr'],
    ["Nous n'avons pas besoin de ce service.", 'negative', 'no-need.fr'],
    ['Nous avons déjà un prestataire.', 'negative', 'has-a-solution.fr'],
    ['Merci de me retirer de votre liste', 'unsubscribe_request', 'off-the-list.fr'],
    ['Veuillez ne plus me contacter.', 'unsubscribe_request', 'stop-writing.fr'],
    ['Désinscription', 'unsubscribe_request', 'off-the-list.fr'],
    ['Je ne suis pas la bonne personne.', 'other', 'wrong-person.fr'],
    ['Pas pour le moment, recontactez-moi en septembre.', 'neutral'],
    ['Combien ça coûte ?', 'neutral', 'asks-price.fr'],
  ],
  es: [
    ['Me interesa, ¿podemos hablar el martes?', 'positive', 'interested.es'],
    ['Suena bien, agendemos una llamada.', 'positive', 'sounds-good.es'],
    ['Por favor envíeme más información.', 'positive', 'asks-for-material.es'],
    ['No estoy interesado, gracias.', 'negative', 'not-interested.es'],
    ['No nos interesa', 'negative', 'not-interested.es'],
    ['Ya tenemos un proveedor.', 'negative', 'has-a-solution.es'],
    ['Por favor, elimíneme de su lista.', 'unsubscribe_request', 'off-the-list.es'],
    ['Quiero darme de baja', 'unsubscribe_request', 'off-the-list.es'],
    ['No me envíen más correos.', 'unsubscribe_request', 'stop-writing.es'],
    ['No soy la persona adecuada.', 'other', 'wrong-person.es'],
    ['Por ahora no.', 'neutral', 'not-now.es'],
    ['¿Cuánto cuesta?', 'neutral', 'asks-price.es'],
  ],
  pt: [
    ['Tenho interesse, podemos conversar amanhã?', 'positive', 'interested.pt'],
    ['Pode me enviar mais informações?', 'positive', 'asks-for-material.pt'],
    ['Vamos agendar uma reunião.', 'positive', 'agrees-to-talk.pt'],
    ['Não tenho interesse.', 'negative', 'not-interested.pt'],
    ['Não, obrigado', 'negative', 'declines.pt'],
    ['Já temos um fornecedor.', 'negative', 'has-a-solution.pt'],
    ['Por favor, remova o meu e-mail da sua lista.', 'unsubscribe_request', 'off-the-list.pt'],
    ['Parem de me enviar e-mails', 'unsubscribe_request', 'stop-writing.pt'],
    ['Não sou a pessoa responsável.', 'other', 'wrong-person.pt'],
    ['Quanto custa?', 'neutral', 'asks-price.pt'],
  ],
  nl: [
    ['Klinkt goed, kunnen we dinsdag bellen?', 'positive', 'sounds-good.nl'],
    ['Ik heb zeker interesse.', 'positive', 'interested.nl'],
    ['Stuur me meer informatie', 'positive', 'asks-for-material.nl'],
    ['Geen interesse', 'negative', 'not-interested.nl'],
    ['Nee, dank u.', 'negative', 'declines.nl'],
    ['Wij hebben hier geen behoefte aan', 'negative', 'no-need.nl'],
    ['Graag uitschrijven', 'unsubscribe_request', 'off-the-list.nl'],
    ['Verwijder mij uit uw bestand aub', 'unsubscribe_request', 'off-the-list.nl'],
    ['Ik wil geen mails meer ontvangen', 'unsubscribe_request', 'stop-writing.nl'],
    ['Ik ben niet de juiste persoon.', 'other', 'wrong-person.nl'],
    ['Wat kost het?', 'neutral', 'asks-price.nl'],
  ],
  it: [
    ['Sono interessato, possiamo sentirci martedì?', 'positive', 'interested.it'],
    ['Mi può inviare maggiori informazioni?', 'positive', 'asks-for-material.it'],
    ['Volentieri, sentiamoci.', 'positive', 'agrees-to-talk.it'],
    ['Non sono interessato.', 'negative', 'not-interested.it'],
    ['No grazie', 'negative', 'declines.it'],
    ['Abbiamo già un fornitore.', 'negative', 'has-a-solution.it'],
    ['Cancellatemi dalla vostra lista', 'unsubscribe_request', 'off-the-list.it'],
    ['Non inviatemi più email.', 'unsubscribe_request', 'stop-writing.it'],
    ['Non sono la persona giusta.', 'other', 'wrong-person.it'],
    ['Quanto costa?', 'neutral', 'asks-price.it'],
  ],
};

describe('labelByRules', () => {
  describe.each(Object.entries(SAMPLES))('in %s', (_, samples) => {
    it.each(samples.map(([text, label, rule]) => ({ text, label, rule })))(
      '"$text" is $label',
      ({ text, label, rule }) => {
        const labelled = labelByRules({ text, subject: 'Re: Hello' });
        expect(labelled.label).toBe(label);
        if (rule !== undefined) expect(labelled.rule).toBe(rule);
      },
    );
  });

  it('treats an empty mail with an unsubscribe subject as an opt-out', () => {
    expect(labelByRules({ text: '', subject: 'Re: Unsubscribe' })).toEqual({
      label: 'unsubscribe_request',
      rule: 'subject-unsubscribe',
      confidence: 'high',
    });
  });

  it('gives no label to an empty mail', () => {
    expect(labelByRules({ text: ' \n', subject: 'Re: Hello' })).toEqual({
      label: 'other',
      rule: 'empty',
      confidence: 'low',
    });
  });

  it('prefers the given language', () => {
    expect(labelByRules({ text: 'No', subject: '', language: 'es' }).rule).toBe('declines.es');
    expect(labelByRules({ text: 'No', subject: '', language: 'it' }).rule).toBe('declines.it');
  });

  it('is less confident of interest beside a refusal', () => {
    const labelled = labelByRules({ text: "Not interested in the tool, but let's talk about your API.", subject: '' });
    expect(labelled).toEqual({ label: 'negative', rule: 'not-interested.en', confidence: 'low' });
  });
});
