import { getDomain } from 'tldts';

/**
 * Domains at which anyone can have an address, so that two people there need not belong together. It lists mailbox and internet
 * access providers with many users.
 */
const FREE_MAIL: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp hotmail.com hotmail.co.uk
  hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl live.com live.co.uk live.de live.fr live.it live.nl live.be live.ca
  live.com.mx live.com.au live.dk live.no live.se live.cn msn.com passport.com windowslive.com
  yahoo.com ymail.com rocketmail.com myyahoo.com yahoo.co.uk yahoo.co.in yahoo.in yahoo.co.id yahoo.co.jp yahoo.co.th
  yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.hk yahoo.com.mx yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw
  yahoo.com.vn yahoo.ca yahoo.de yahoo.dk yahoo.es yahoo.fr yahoo.gr yahoo.ie yahoo.it yahoo.nl yahoo.no yahoo.pl yahoo.ro
  yahoo.se aol.com aol.co.uk aol.de aol.fr aim.com verizon.net att.net sbcglobal.net bellsouth.net
  icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io
  tutamail.com keemail.me fastmail.com fastmail.fm hey.com zoho.com zohomail.com zohomail.eu zohomail.in mail.com email.com
  usa.com europe.com post.com consultant.com engineer.com gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.us gmx.co.uk gmx.fr
  gmx.es web.de t-online.de freenet.de arcor.de posteo.de posteo.net mailbox.org mail.de email.de online.de kabelmail.de
  vodafone.de unitybox.de aon.at chello.at bluewin.ch hispeed.ch sunrise.ch mail.ch
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr aliceadsl.fr club-internet.fr
  libero.it virgilio.it alice.it tin.it tim.it tiscali.it fastwebnet.it inwind.it iol.it email.it
  telefonica.net movistar.es terra.com ono.com sapo.pt telenet.be skynet.be proximus.be scarlet.be
  ziggo.nl kpnmail.nl planet.nl xs4all.nl hetnet.nl home.nl upcmail.nl casema.nl
  btinternet.com btopenworld.com sky.com virginmedia.com ntlworld.com talktalk.net tiscali.co.uk blueyonder.co.uk
  eircom.net telia.com bredband.net spray.se online.no mail.dk
  wp.pl o2.pl onet.pl op.pl interia.pl interia.eu gazeta.pl tlen.pl seznam.cz centrum.cz email.cz post.cz
  volny.cz azet.sk centrum.sk zoznam.sk freemail.hu citromail.hu abv.bg mail.bg
  mail.ru bk.ru inbox.ru list.ru internet.ru yandex.ru yandex.com ya.ru yandex.ua yandex.by yandex.kz rambler.ru lenta.ru
  ukr.net i.ua meta.ua inbox.lv inbox.lt
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn 21cn.com tom.com
  naver.com daum.net hanmail.net nate.com rediffmail.com indiatimes.com sify.com
  comcast.net xfinity.com cox.net charter.net spectrum.net earthlink.net juno.com netzero.net frontier.com optonline.net
  windstream.net centurylink.net rogers.com shaw.ca sympatico.ca videotron.ca telus.net
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com prodigy.net.mx
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz walla.com walla.co.il hushmail.com runbox.com lycos.com
  inbox.com mailfence.com duck.com`.split(/\s+/),
);

/** Domains with subdomains of separate companies that are not in the Public Suffix List. */
const SHARED = ['onmicrosoft.com'] as const;

/**
 * Whether anybody may have an address there, so that its owners are no company: replies of one say nothing about the
 * others, and limits per company do not apply.
 * @param domain in normal form (`parseEmailAddress`); a subdomain of a listed domain counts as listed
 */
export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.has(domain) || FREE_MAIL.has(getCompanyDomain(domain));
}

/**
 * The domain that its owner registered: `example.co.uk` for `mail.example.co.uk`, by the Public Suffix List with its
 * private part (of two people under `github.io` each has a domain of their own). A domain that is a public suffix itself
 * is returned as it is.
 * @param domain in normal form (`parseEmailAddress`)
 */
export function getCompanyDomain(domain: string): string {
  const shared = SHARED.find((suffix) => domain.endsWith(`.${suffix}`));
  if (shared !== undefined) return domain.split('.').slice(-3).join('.');
  return getDomain(domain, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) ?? domain;
}
