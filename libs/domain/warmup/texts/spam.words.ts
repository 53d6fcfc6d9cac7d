import { type WarmupLanguage } from '../schemas/warmup.record';

/**
 * Words of money, of urgency and of advertising, by which filters know unwanted mail: no text of warmup says them. `*` stands
 * for any ending, `+` for a blank.
 */
const WORDS: Readonly<Record<WarmupLanguage, string>> = {
  en:
    'free act+now apply+now asap bargain* bonus* buy cash cheap* clearance click* congratulations credit* dear+friend deal deals debt* ' +
    'discount* dollar* double+your earn* euro* exclusive* expire* gift* guarantee* hurry immediately income incredible instantly ' +
    'investment* last+chance limited loan* lottery money offer* once+in+a+lifetime order+now payment* pounds price* prize* ' +
    'profit promotion* refund* sale sales save+big special+offer subscribe* unlimited urgent* winner* bitcoin* crypto* casino*',
  de:
    'gratis kostenlos* geschenk* gewinn* geld euro dollar preis* rabatt* angebot* kredit* zahlung* überweis* sofort dringend* eilig ' +
    'letzte+chance garantie* exklusiv* bonus gutschein* klick* sonderaktion* umsatz* verdien* günstig* billig* kaufen begrenzt* lotterie',
  fr:
    'gratuit* cadeau* gagne* argent euro euros dollar* prix promo promotion* remise* offre offres crédit* paiement* virement* immédiatement ' +
    'urgent* urgence* dernière+chance garanti* exclusif* exclusive* bonus réduction* clique* soldes acheter limitée loterie félicitations',
  es:
    'gratis gratuit* regalo* ganar dinero euro euros dólar* precio* descuento* oferta* crédito* pago pagos transferencia* inmediatamente ' +
    'urgent* urgencia* última+oportunidad garant* exclusiv* bono bonos promoción* clic rebaja* comprar limitad* lotería barat*',
  pt:
    'grátis gratuit* ganhe ganhar dinheiro euro euros dólar* preço* desconto* oferta* crédito* pagamento* transferência* imediatamente ' +
    'urgent* urgência* última+chance garant* exclusiv* bônus promoção* clique* liquidação comprar limitad* loteria parabéns barat*',
  nl:
    'gratis cadeau* winnen gewonnen geld euro dollar prijs prijzen korting* aanbieding* krediet* betaling* onmiddellijk dringend* spoed ' +
    'laatste+kans garantie* exclusie* bonus klik* uitverkoop kopen beperkt* loterij gefeliciteerd goedkoop*',
  it:
    'gratis gratuit* regal* vincere vincita denaro soldi euro dollari prezz* sconto sconti offerta offerte credito crediti pagament* bonific* ' +
    'immediatamente urgent* urgenza ultima+occasione garanzia garantit* esclusiv* bonus promozion* clicca* saldi comprare limitat* lotteria',
};

const PATTERNS = Object.fromEntries(
  Object.entries(WORDS).map(([language, words]) => [language, patternOf(words)]),
) as Readonly<Record<WarmupLanguage, RegExp>>;

/** A word of the language that filters dislike, as it stands in the text; null when there is none. */
export function spamWordIn(text: string, language: WarmupLanguage): string | null {
  return PATTERNS[language].exec(text)?.[0] ?? null;
}

function patternOf(words: string): RegExp {
  const alternatives = words
    .split(' ')
    .map((word) => word.replaceAll('+', String.raw`\s+`).replace('*', String.raw`\p{L}*`));
  return new RegExp(String.raw`(?<!\p{L})(?:${alternatives.join('|')})(?!\p{L})`, 'iu');
}
