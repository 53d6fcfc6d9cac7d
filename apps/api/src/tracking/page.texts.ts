/** What the pages say; `{email}` is the reader's address, `{sender}` the domain that wrote. */
export interface Texts {
  title: string;
  question: string;
  button: string;
  doneTitle: string;
  done: string;
  unknownTitle: string;
  unknown: string;
  laterTitle: string;
  later: string;
  lostTitle: string;
  lost: string;
}

const EN: Texts = {
  title: 'Unsubscribe',
  question: 'Should {sender} stop sending emails to {email}?',
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: '{email} will get no more emails from {sender}.',
  unknownTitle: 'This link does not work',
  unknown: 'It may be incomplete. Open it again from the email, or answer the email with the word “unsubscribe”.',
  laterTitle: 'That did not work just now',
  later: 'Nothing was changed. Please try again in a few minutes.',
  lostTitle: 'This link leads nowhere',
  lost: 'It may be incomplete, or too old. Open it again from the email.',
};

const DE: Texts = {
  title: 'Abmelden',
  question: 'Soll {sender} keine E-Mails mehr an {email} senden?',
  button: 'Abmelden',
  doneTitle: 'Sie sind abgemeldet',
  done: '{email} bekommt keine E-Mails von {sender} mehr.',
  unknownTitle: 'Dieser Link funktioniert nicht',
  unknown:
    'Vielleicht ist er unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail, oder antworten Sie auf die E-Mail mit dem Wort „Abmelden“.',
  laterTitle: 'Das hat gerade nicht geklappt',
  later: 'Es wurde nichts geändert. Bitte versuchen Sie es in einigen Minuten noch einmal.',
  lostTitle: 'Dieser Link führt nirgendwohin',
  lost: 'Vielleicht ist er unvollständig oder zu alt. Öffnen Sie ihn noch einmal aus der E-Mail.',
};

const FR: Texts = {
  title: 'Se désabonner',
  question: 'Souhaitez-vous que {sender} n’envoie plus d’e-mails à {email} ?',
  button: 'Me désabonner',
  doneTitle: 'Vous êtes désabonné',
  done: '{email} ne recevra plus d’e-mails de {sender}.',
  unknownTitle: 'Ce lien ne fonctionne pas',
  unknown:
    'Il est peut-être incomplet. Ouvrez-le de nouveau depuis l’e-mail, ou répondez à l’e-mail avec le mot « désabonner ».',
  laterTitle: 'Cela n’a pas fonctionné',
  later: 'Rien n’a été modifié. Veuillez réessayer dans quelques minutes.',
  lostTitle: 'Ce lien ne mène nulle part',
  lost: 'Il est peut-être incomplet ou trop ancien. Ouvrez-le de nouveau depuis l’e-mail.',
};

const ES: Texts = {
  title: 'Darse de baja',
  question: '¿Quiere que {sender} deje de enviar correos a {email}?',
  button: 'Darme de baja',
  doneTitle: 'Se ha dado de baja',
  done: '{email} no recibirá más correos de {sender}.',
  unknownTitle: 'Este enlace no funciona',
  unknown: 'Puede que esté incompleto. Ábralo de nuevo desde el correo, o responda al correo con la palabra «baja».',
  laterTitle: 'No ha funcionado',
  later: 'No se ha cambiado nada. Inténtelo de nuevo dentro de unos minutos.',
  lostTitle: 'Este enlace no lleva a ninguna parte',
  lost: 'Puede que esté incompleto o sea demasiado antiguo. Ábralo de nuevo desde el correo.',
};

const PT: Texts = {
  title: 'Cancelar a subscrição',
  question: 'Quer que {sender} deixe de enviar e-mails para {email}?',
  button: 'Cancelar a subscrição',
  doneTitle: 'A subscrição foi cancelada',
  done: '{email} não receberá mais e-mails de {sender}.',
  unknownTitle: 'Este link não funciona',
  unknown: 'Pode estar incompleto. Abra-o de novo a partir do e-mail, ou responda ao e-mail com a palavra “cancelar”.',
  laterTitle: 'Não funcionou desta vez',
  later: 'Nada foi alterado. Tente de novo dentro de alguns minutos.',
  lostTitle: 'Este link não leva a lado nenhum',
  lost: 'Pode estar incompleto ou ser demasiado antigo. Abra-o de novo a partir do e-mail.',
};

const NL: Texts = {
  title: 'Afmelden',
  question: 'Moet {sender} stoppen met het sturen van e-mails naar {email}?',
  button: 'Afmelden',
  doneTitle: 'U bent afgemeld',
  done: '{email} krijgt geen e-mails meer van {sender}.',
  unknownTitle: 'Deze link werkt niet',
  unknown:
    'Misschien is hij niet volledig. Open hem opnieuw vanuit de e-mail, of beantwoord de e-mail met het woord ‘afmelden’.',
  laterTitle: 'Dat lukte niet',
  later: 'Er is niets veranderd. Probeer het over een paar minuten opnieuw.',
  lostTitle: 'Deze link leidt nergens naartoe',
  lost: 'Misschien is hij niet volledig of te oud. Open hem opnieuw vanuit de e-mail.',
};

const IT: Texts = {
  title: 'Annulla iscrizione',
  question: 'Vuole che {sender} non invii più e-mail a {email}?',
  button: 'Annulla iscrizione',
  doneTitle: 'Iscrizione annullata',
  done: '{email} non riceverà più e-mail da {sender}.',
  unknownTitle: 'Questo link non funziona',
  unknown: 'Forse è incompleto. Lo apra di nuovo dall’e-mail, o risponda all’e-mail con la parola «annulla».',
  laterTitle: 'Non ha funzionato',
  later: 'Non è stato modificato nulla. Riprovi tra qualche minuto.',
  lostTitle: 'Questo link non porta da nessuna parte',
  lost: 'Forse è incompleto o troppo vecchio. Lo apra di nuovo dall’e-mail.',
};

const PL: Texts = {
  title: 'Rezygnacja z wiadomości',
  question: 'Czy {sender} ma przestać wysyłać wiadomości na adres {email}?',
  button: 'Rezygnuję',
  doneTitle: 'Rezygnacja przyjęta',
  done: 'Na adres {email} nie będą już przychodzić wiadomości od {sender}.',
  unknownTitle: 'Ten link nie działa',
  unknown: 'Może być niepełny. Otwórz go ponownie z wiadomości albo odpowiedz na nią słowem „rezygnuję”.',
  laterTitle: 'Tym razem się nie udało',
  later: 'Niczego nie zmieniono. Spróbuj ponownie za kilka minut.',
  lostTitle: 'Ten link donikąd nie prowadzi',
  lost: 'Może być niepełny albo zbyt stary. Otwórz go ponownie z wiadomości.',
};

const SV: Texts = {
  title: 'Avregistrera',
  question: 'Ska {sender} sluta skicka e-post till {email}?',
  button: 'Avregistrera',
  doneTitle: 'Du är avregistrerad',
  done: '{email} får ingen mer e-post från {sender}.',
  unknownTitle: 'Länken fungerar inte',
  unknown: 'Den kan vara ofullständig. Öppna den igen från mejlet, eller svara på mejlet med ordet ”avregistrera”.',
  laterTitle: 'Det gick inte just nu',
  later: 'Inget har ändrats. Försök igen om några minuter.',
  lostTitle: 'Länken leder ingenstans',
  lost: 'Den kan vara ofullständig eller för gammal. Öppna den igen från mejlet.',
};

const DA: Texts = {
  title: 'Afmeld',
  question: 'Skal {sender} holde op med at sende mails til {email}?',
  button: 'Afmeld',
  doneTitle: 'Du er afmeldt',
  done: '{email} får ikke flere mails fra {sender}.',
  unknownTitle: 'Linket virker ikke',
  unknown: 'Det er måske ufuldstændigt. Åbn det igen fra mailen, eller svar på mailen med ordet »afmeld«.',
  laterTitle: 'Det lykkedes ikke lige nu',
  later: 'Intet er ændret. Prøv igen om et par minutter.',
  lostTitle: 'Linket fører ingen steder hen',
  lost: 'Det er måske ufuldstændigt eller for gammelt. Åbn det igen fra mailen.',
};

export const TEXTS = { en: EN, de: DE, fr: FR, es: ES, pt: PT, nl: NL, it: IT, pl: PL, sv: SV, da: DA } as const;
export type Language = keyof typeof TEXTS;

const LONGEST_HEADER = 500;

/** The language that the reader likes best of those that there are (RFC 9110, 12.5.4); English where there is none. */
export function languageOf(accepted: string | undefined): Language {
  const wishes = (accepted ?? '')
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})(?:-[a-z\d-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(part))
    .flatMap((wish) => (wish ? [{ language: (wish[1] ?? '').toLowerCase(), quality: Number(wish[2] ?? 1) }] : []))
    .filter(({ language, quality }) => quality > 0 && Object.hasOwn(TEXTS, language));
  return (wishes.toSorted((one, other) => other.quality - one.quality)[0]?.language ?? 'en') as Language;
}
