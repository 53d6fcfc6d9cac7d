import { type Phrases } from './phrases';

/** The phrases of the languages in which less outreach is written; the same fields. */
export const MORE_PHRASES: readonly Phrases[] = [
  {
    language: 'pl',
    automatic:
      '(?:to jest|ta|niniejsza|jest to)[^.]{0,20}(?:wiadomosc|odpowiedz)[^.]{0,20}automatyczn|(?:wiadomosc|odpowiedz) (?:zostala )?(?:wygenerowana )?automatyczn|automatyczna (?:odpowiedz|wiadomosc)|prosimy? nie odpowiadac na t[ea]',
    away: '(?:jestem|bede|przebywam|jestesmy)[^.!?]{0,40}(?:poza biurem|na urlopie|nieobecn|niedostepn|w delegacji|na zwolnieniu|na macierzynskim)|(?:obecnie|aktualnie) (?:przebywam|jestem)[^.!?]{0,20}(?:urlop|poza)|nasze biuro[^.!?]{0,30}(?:zamkniete|nieczynne)|nie ma mnie w biurze',
    absence: 'poza biurem|urlop|nieobecn|delegacji|niedostepn|nieczynne|zwolnieni|wracam|powroc',
    arrangement:
      'w (?:pilnych|naglych) (?:sprawach|przypadkach)|w sprawach pilnych|podczas mojej nieobecnosci|po (?:moim )?powrocie|ograniczony dostep|prosze o kontakt|prosze kontaktowac|odpowiem|nie (?:beda|bedzie) (?:przekierowan|czytan)',
    opener: '(?:bardzo )?dzieku(?:je|jemy) za (?:wiadomosc|kontakt|e-?mail|mail|przeslanie)',
    received:
      '(?:otrzymalismy|otrzymalem|otrzymalam) (?:twoja|panstwa|pana|pani) (?:wiadomosc|zgloszenie|zapytanie)|(?:wiadomosc|zgloszenie|zapytanie)[^.]{0,30}(?:zostalo|zostala) (?:przyjet|zarejestrowan|otrzyman)',
    promise: '(?:najszybciej jak|jak najszybciej|wkrotce|w ciagu \\d+|niezwlocznie)|numer zgloszenia',
    left: '(?:nie pracuj[ea]|juz nie pracuj|nie jest juz|odesz)',
  },
  {
    language: 'sv',
    automatic:
      'detta (?:ar|mail ar|meddelande ar) (?:ett )?(?:automatiskt? (?:svar|meddelande|genererat|skickat)|autosvar)|autosvar|automatiskt svar|svara inte pa detta',
    away: '(?:jag ar|jag kommer att vara|vi har|jag har|ar jag)[^.!?]{0,40}(?:inte pa (?:kontoret|plats)|ej pa plats|pa semester|ledig|bortrest|pa resande fot|tjanstledig|foraldraledig|semester|franvarande|ur kontoret|stangt)|(?:kontoret|vi) (?:ar|har) (?:stangt|semesterstangt)|inte pa kontoret',
    absence: 'semester|franvar|ledig|ej pa plats|inte pa (?:kontoret|plats)|stangt|tillbaka|ater den|bortrest',
    arrangement:
      'i (?:bradskande|akuta) (?:arenden|fall)|vid (?:bradskande|akuta)|under (?:min franvaro|tiden|min semester)|nar jag (?:ar tillbaka|kommer tillbaka|ater)|begransad (?:tillgang|atkomst)|kontakta|laser inte|vidarebefordras (?:inte|ej)|aterkommer',
    opener: 'tack for (?:ditt|din|ert|er) (?:mail|mejl|e-?post|meddelande|mailet|kontakt)',
    received:
      'vi har (?:mottagit|tagit emot|fatt) (?:ditt|din|ert) (?:mail|mejl|meddelande|arende|forfragan|e-?post)|(?:ditt|din) (?:arende|meddelande|mail)[^.]{0,30}(?:mottagits|registrerats|har tagits emot)',
    promise: '(?:sa snart (?:som mojligt|vi kan)|inom \\d+|inom kort|snarast)|arendenummer',
    left: '(?:arbetar inte langre|har slutat|jobbar inte langre|slutat (?:pa|hos))',
  },
  {
    language: 'da',
    automatic:
      '(?:dette|denne) (?:er|mail er|besked er|e-?post er) (?:et |en )?(?:automatisk(?:e|t)? (?:svar|besked|mail|genereret|melding)|autosvar|autoreply)|autosvar|automatisk svar|svar (?:venligst )?ikke pa denne',
    away: '(?:jeg er|jeg holder|jeg har|vi holder|vi har|er jeg)[^.!?]{0,40}(?:ikke (?:pa|i) kontoret|pa ferie|ferie|ikke til stede|fravaerende|bortrejst|bortreist|pa barsel|barselsorlov|permisjon|fri|ute av kontoret|ude af kontoret|lukket|stengt|pa reise|pa rejse)|kontoret (?:er|holder) (?:lukket|stengt|ferielukket)',
    absence:
      'ferie|fravaer|ikke (?:pa|i) kontoret|ikke til stede|barsel|permisjon|lukket|stengt|tilbage|tilbake|bortre[ji]st|autosvar',
    arrangement:
      '(?:i|ved|har du) (?:hastende|akutte|presserende|haste)|i (?:min|mit) (?:fravaer|ferie)|nar jeg er (?:tilbage|tilbake)|begraense[dt]|begrenset|kontakt(?:e)? (?:venligst|min|gjerne|mine)|bliver ikke (?:laest|videresendt)|(?:vender|kommer) tilba[gk]e|leser ikke|laeser ikke',
    opener: '(?:mange )?takk? for (?:din|dit|deres|henvendelsen|mailen|e-?posten|din henvendelse)',
    received:
      'vi har mottatt|vi har modtaget (?:din|dit)|(?:din|dit) (?:henvendelse|mail|besked|e-?post)[^.]{0,30}(?:modtaget|mottatt|registreret|registrert)',
    promise:
      '(?:hurtigst muligt|sa (?:snart|hurtigt|raskt) som mulig|inden for \\d+|innen \\d+|snarest)|sagsnummer|saksnummer',
    left: '(?:arbejder ikke (?:laengere|mere)|er fratradt|er stoppet|jobber ikke lenger|har sluttet|ikke laengere ansat)',
  },
  {
    language: 'fi',
    automatic:
      '(?:tama on )?automaattinen (?:vastaus|viesti|poissaoloviesti|kuittaus)|tama (?:viesti )?on (?:lahetetty )?automaat|poissaoloviesti',
    away: '(?:olen|olemme)[^.!?]{0,40}(?:lomalla|poissa|vuosilomalla|vapaalla|matkoilla|perhevapaalla|aitiyslomalla|virkamatkalla|tyomatkalla|kesalomalla|talvilomalla)|en ole (?:toimistolla|paikalla|tavoitettavissa|toissa)',
    absence: 'loma|poissa|vapaalla|matkoilla|palaan|suljettu|en ole (?:toimistolla|paikalla)',
    arrangement:
      'kiireellis|kiireisissa|poissaoloni aikana|lomani aikana|palattuani|ota yhteytta|yhteytta|sijaise|sahkopostia (?:rajoitetusti|en)|en lue|vastaan (?:viestiin|sinulle|viesteihin)',
    opener: 'kiitos (?:viestistasi|viestista|sahkopostistasi|yhteydenotosta|yhteydenotostasi)',
    received:
      '(?:viestisi|yhteydenottosi|pyyntosi)[^.]{0,30}(?:vastaanotettu|saapunut|kirjattu)|olemme vastaanottaneet',
    promise: '(?:mahdollisimman pian|viimeistaan|\\d+ (?:tunnin|paivan|arkipaivan) (?:sisalla|kuluessa))',
    left: '(?:en tyoskentele enaa|ei tyoskentele enaa|siirtynyt pois)',
  },
  {
    language: 'cs',
    automatic:
      '(?:toto|tento|tato) (?:je|e-?mail je|zprava je|odpoved je)[^.]{0,20}automatick|automaticka (?:odpoved|zprava)|automaticky (?:generovan|odeslan|vytvoren)|na (?:tento|tuto) (?:e-?mail|zpravu) neodpovidejte',
    away: '(?:jsem|budu|jsme|nejsem|nebudu)[^.!?]{0,40}(?:mimo kancelar|na dovolene|nepritom|nedostupn|pryc|na sluzebni ceste|v kancelari|pritom|k zastizeni)|cerpam dovolenou|(?:mam|mame)[^.!?]{0,15}dovolenou',
    absence: 'dovolen|nepritom|mimo kancelar|nedostup|sluzebni ceste|zpet|zavreno',
    arrangement:
      '(?:v|ve) (?:nalehavych|nutnych|urgentnich) (?:pripad|zalezitost)|v (?:nalehavem|nutnem|urgentnim) pripade|v (?:dobe )?(?:me|moji) nepritomnosti|po (?:mem )?navratu|omezeny pristup|(?:kontaktujte|obratte se)|odpovim',
    opener: 'dekuji? (?:vam )?za (?:vas|vasi|tvuj|zpravu|e-?mail)|dekujeme za (?:vas|vasi)',
    received: '(?:vas|vase) (?:zprava|e-?mail|dotaz|pozadavek)[^.]{0,30}(?:byl|prijat|zaregistrovan)|obdrzeli jsme',
    promise: '(?:co nejdrive|v nejblizsi dobe|do \\d+ (?:hodin|pracovnich|dnu)|brzy)|cislo (?:pozadavku|ticketu)',
    left: '(?:jiz ne(?:pracuj|jsem)|uz nepracuj|odesel z|odesla z)',
  },
  {
    language: 'ru',
    automatic:
      'это (?:письмо )?(?:автоматическ|автоответ|сгенерирован)|автоматическ(?:ий|ое) (?:ответ|сообщение|уведомление)|автоответ|не отвечайте на это (?:письмо|сообщение)',
    away: '(?:я |мы )?(?:нахожусь|буду|сейчас|в настоящее время|отсутствую)[^.!?]{0,40}(?:в отпуске|отсутств|в командировке|вне офиса|не в офисе|на больничном|недоступ)|меня (?:нет|не будет) (?:в офисе|на месте|на рабочем)|отсутствую (?:в офисе|на рабочем|до|с)|в отпуске (?:до|по|с)',
    absence: 'отпуск|отсутств|командировк|вне офиса|нет в офисе|не в офисе|больничн|вернусь|выйду',
    arrangement:
      '(?:по|в) (?:срочным|экстренных|срочных|неотложным|всем) (?:вопросам|случа)|в (?:моё|мое) отсутствие|(?:после|по) (?:моего )?возвращени[яю]|ограничен(?:ный|ного)? доступ|обращайтесь|обратиться|отвечу|свяжусь|не (?:будет|будут) (?:пересл|прочит)',
    opener: '(?:спасибо|благодарю|благодарим)(?: вас)? за (?:ваше|обращение|письмо|сообщение)',
    received:
      '(?:ваше|мы получили ваше) (?:письмо|сообщение|обращение|заявка)[^.]{0,30}(?:получено|принято|зарегистрирован)|мы получили ваш|ваша заявка[^.]{0,20}(?:принята|зарегистрирована)',
    promise: '(?:в ближайшее время|как можно скорее|в течение|в кратчайшие сроки)|номер (?:заявки|обращения)',
    left: '(?:больше не работа|уволил|покинул)',
  },
  {
    language: 'ja',
    automatic: '自動(?:応答|返信|送信|配信|的に(?:送信|返信))|本メールは(?:システムにより)?自動',
    away: '(?:不在に(?:して|し)|(?:休暇|休み|出張|外出|夏季休業|年末年始休業|育児休業|産休)(?:を)?(?:頂|いただ|取得|中|のため|となり|とさせて)|(?:休暇|夏休み|有給)を取|休業(?:と|いた)|席を外して|オフィスを離れ|お休みを?(?:いただ|頂))',
    absence: '不在|休暇|休業|お休み|休み|出張|外出|復帰|出社',
    arrangement:
      '(?:緊急|お急ぎ|至急)(?:の|は|で|連絡|場合|ご用件)|(?:までご連絡|にご連絡|へご連絡)|(?:戻り|帰社|出社|復帰)(?:次第|後)|(?:確認|返信|返事|回答)(?:が|は|を)?(?:遅れ|できません|できかね|させて)',
    opener:
      '(?:ご連絡|メール|お問い合わせ)(?:を)?(?:いただき|頂き|くださ|下さ|ありがとう|有難う)|お世話になっております',
    received: '(?:お問い合わせ|メール|ご連絡)(?:を|は)?(?:受け付け|受付|受信|受領|承り)',
    promise: '(?:後ほど|追って|担当者より|営業日以内|改めて|しばらく)',
    left: '(?:退職(?:いた|し|と)|異動(?:いた|し|と))',
  },
  {
    language: 'zh',
    automatic: '自动(?:回复|回覆|答复|发送)|自動(?:回覆|回復|回复)|本邮件(?:由|为|是)(?:系统)?自动',
    away: '(?:我|本人|目前|现在|正在|将)[^。！？]{0,20}(?:休假|度假|出差|外出|不在(?:办公室|辦公室|公司)|请假|年假|产假|病假)|不在(?:办公室|辦公室|公司)',
    absence: '休假|度假|出差|外出|不在|请假|年假|产假|放假|假期',
    arrangement:
      '(?:紧急|急事|緊急|如有急)|(?:请联系|请联络|請聯繫|請聯絡|请致电|请拨打)|(?:回来|返回|回來)(?:后|後)|(?:无法|不能|無法)(?:及时|即时|立即)?(?:回复|查看|查收|回覆)|尽快(?:回复|答复)|收到后',
    opener: '(?:感谢|谢谢|感謝|謝謝)(?:您|你)的?(?:来信|邮件|来件|郵件|來信)|您好',
    received:
      '(?:已收到|收到)(?:您|你)的(?:邮件|来信|信件|請求|请求|郵件)|(?:您|你)的(?:邮件|来信|邮件我)已(?:经)?收到',
    promise: '(?:尽快|盡快|稍后|个工作日|小时内|盡速)',
    left: '(?:已(?:经)?离职|不再任职|不再负责)',
  },
];
