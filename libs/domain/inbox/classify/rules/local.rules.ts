import { type TextRule } from './rule';

/**
 * The same in other languages, without accents for those of Latin letters: the sender's fault first, then what may pass, then
 * that nobody is there.
 */
export const LOCAL_RULES: readonly TextRule[] = [
  {
    name: 'local.policy',
    verdict: 'policy',
    pattern:
      /als spam|spamverdacht|wegen (?:spam|richtlinien)|abgelehnt wegen|nicht berechtigt|keine berechtigung|adresse ip .{0,30}bloquee|pour incident de spam|(?:mail|message) (?:rejete|refuse)|considere comme (?:spam|indesirable)|como spam|correo no deseado|por politicas?|remitente (?:rechazad|bloquead)|bloquead[oa] (?:por|para envio)|considerad[oa] spam|come spam|mittente (?:rifiutat|bloccat)|als spam|afzender (?:geweigerd|geblokkeerd)|спам|отправитель (?:заблокирован|отклонен)|черн(?:ом|ый) списк|垃圾邮件|垃圾郵件|反垃圾|频率|頻率|黑名单|黑名單|发件人.{0,8}(?:拒绝|拒收)|内容(?:被)?拒|スパム|迷惑メール(?:と|の)|スパム判定|送信者.{0,10}拒否|スパマー|스팸/,
  },
  {
    name: 'local.mailbox-full',
    verdict: 'soft',
    pattern:
      /(?:postfach|mailbox|briefkasten|speicherplatz|kontingent|speicher)[^.;]{0,40}(?:voll|uberschritten|erschopft|ausgeschopft|uberfullt)|boite (?:aux lettres |de reception |du destinataire |mail )?(?:est )?(?:pleine|saturee)|quota .{0,24}(?:depasse|atteint)|(?:buzon|bandeja|casilla)[^.;]{0,40}(?:lleno|llena|excedi|supera)|(?:cuota|espacio)[^.;]{0,30}(?:excedid|superad|agotad)|caixa (?:postal |de (?:correio|entrada|e-?mail) )?(?:do destinatario )?(?:esta )?(?:cheia|lotada|sem espaco)|(?:cota|quota|espaco)[^.;]{0,30}(?:excedid|esgotad|ultrapassad)|casella[^.;]{0,40}\bpien|(?:quota|spazio)[^.;]{0,30}(?:superat|esaurit)|postvak[^.;]{0,30}\bvol\b|opslagruimte|(?:ящик|квота)[^.;]{0,30}(?:переполнен|превышен|заполнен)|(?:邮箱|郵箱|信箱|空间|空間|容量)[^。;]{0,12}(?:已满|已滿|不足|满了|滿了|超[过過限出])|超过.{0,8}(?:容量|配额)|(?:メールボックス|容量|ディスク|受信箱)[^。;]{0,20}(?:いっぱい|一杯|超え|超過|オーバー|満杯|上限|不足)|용량.{0,12}초과|skrzynka[^.;]{0,30}pelna|brevladan ar full|dolu\b/,
  },
  {
    name: 'local.temporary',
    verdict: 'soft',
    pattern:
      /vorubergehend|zeituberschreitung|spater (?:erneut|noch ?mal)|temporaire|delai (?:depasse|expire)|reessayer plus tard|temporalmente|tiempo de espera|intente(?:lo)? mas tarde|temporariamente|tempo (?:limite|esgotado)|tente novamente mais tarde|temporane[ao]|riprovare piu tardi|tijdelijk|временн|истекл?о? время|повторите попытку позже|暂时|暫時|稍后再|稍後再|超时|逾時|一時的|タイムアウト|しばらく(?:して|経って)|일시적|(?:nachricht|mail|message|mensaje|mensagem|messaggio)[^.;]{0,30}(?:zu gro(?:ss|ß)|trop volumineux|demasiado grande|muito grande|troppo grande)|邮件.{0,6}(?:过大|太大)|メッセージ.{0,10}(?:大きすぎ|サイズ)/,
  },
  {
    name: 'local.no-such-user.de',
    verdict: 'hard',
    pattern:
      /unbekannte[rn]? (?:benutzer|empfanger|adress|nutzer)|(?:benutzer|empfanger|adresse|e-?mail-?adresse|postfach|mailbox|konto|teilnehmer|kunde|nutzer|empfangeradresse)[^.;]{0,60}(?:unbekannt|nicht bekannt|nicht gefunden|existiert nicht|nicht existiert|nicht vorhanden|ungultig|gibt es nicht|nicht verzeichnet|konnte nicht gefunden|geloscht|deaktiviert|gesperrt|stillgelegt)|kein(?:e|en)? (?:benutzer|empfanger|postfach|mailbox)\b.{0,30}(?:name|vorhanden|gefunden|adresse)|nicht im domino-?verzeichnis|adresse nicht gefunden|domain[^.;]{0,40}(?:existiert nicht|nicht gefunden|unbekannt)/,
  },
  {
    name: 'local.no-such-user.fr',
    verdict: 'hard',
    pattern:
      /(?:utilisateur|destinataire|compte|adresse|boite)[^.;]{0,60}(?:inconnue?|inexistante?|introuvable|n'existe (?:pas|plus)|n.existe (?:pas|plus)|non trouvee?|invalide|n'a pas ete trouvee?|n'est pas (?:valide|reconnu|repertori)|desactivee?|supprimee?|cloturee?|archivee?|est bloque)|(?:inconnue?|inexistante?) (?:utilisateur|destinataire)|non repertorie dans l'annuaire|domaine[^.;]{0,30}(?:inconnu|inexistant|n'existe pas|introuvable)|adresse introuvable/,
  },
  {
    name: 'local.no-such-user.es',
    verdict: 'hard',
    pattern:
      /(?:usuario|destinatario|cuenta|direccion|buzon|casilla)[^.;]{0,60}(?:desconocid[oa]|inexistente|no existe|no (?:se )?(?:encontrad[oa]|encuentra|encontro)|no es valid[oa]|invalid[oa]|no valid[oa]|desactivad[oa]|deshabilitad[oa]|eliminad[oa]|dad[oa] de baja|no (?:se )?ha (?:podido )?encontra)|no existe (?:ese|el|este|la|esa|dich[oa]|ningun) ?(?:usuario|persona|cuenta|destinatario|direccion|buzon)|no se (?:encontro|encuentra|ha encontrado) (?:la direccion|el (?:usuario|destinatario|directorio)|en el directorio)|no existe dicha persona|dominio[^.;]{0,30}(?:no existe|desconocido|no (?:se )?encontr)|direccion no encontrada/,
  },
  {
    name: 'local.no-such-user.pt',
    verdict: 'hard',
    pattern:
      /(?:usuario|utilizador|destinatario|conta|endereco|caixa(?: postal| de correio)?)[^.;]{0,60}(?:desconhecid[oa]|inexistente|nao (?:existe|foi encontrad[oa]|encontrad[oa]|localizad[oa]|cadastrad[oa]|e valid[oa])|invalid[oa]|desativad[oa]|desabilitad[oa]|cancelad[oa]|bloquead[oa]|encerrad[oa]|excluid[oa])|endereco nao encontrado|dominio[^.;]{0,30}(?:nao existe|inexistente|nao encontrado)/,
  },
  {
    name: 'local.no-such-user.it',
    verdict: 'hard',
    pattern:
      /(?:utente|destinatario|casella|indirizzo|account)[^.;]{0,60}(?:sconosciut[oa]|inesistente|non esist[ea]|non (?:e stat[oa] )?trovat[oa]|non valid[oa]|disabilitat[oa]|disattivat[oa]|chius[oa]|cancellat[oa])|nessun utente|dominio[^.;]{0,30}(?:inesistente|non esiste|non trovato)|indirizzo non trovato/,
  },
  {
    name: 'local.no-such-user.nl',
    verdict: 'hard',
    pattern:
      /onbekende (?:gebruiker|ontvanger|adres|geadresseerde)|(?:gebruiker|ontvanger|geadresseerde|adres|e-?mailadres|postvak|mailbox|account)[^.;]{0,60}(?:onbekend|niet gevonden|bestaat niet|niet bestaat|ongeldig|niet bekend|opgeheven|uitgeschakeld|verwijderd)|adres niet gevonden|domein[^.;]{0,30}(?:bestaat niet|onbekend|niet gevonden)/,
  },
  {
    name: 'local.no-such-user.nordic',
    verdict: 'hard',
    pattern:
      /(?:mottagaren?|adressen?|anvandaren?|e-postadressen|modtageren?|brugeren?|mottakeren?|brukeren?|kontot?)[^.;]{0,60}(?:hittades inte|finns inte|okand|kunde inte hittas|blev ikke fundet|findes ikke|ukendt|ble ikke funnet|finnes ikke|ukjent|kunne ikke findes)|(?:okand|ukendt|ukjent) (?:mottagare|anvandare|modtager|bruger|mottaker|bruker)/,
  },
  {
    name: 'local.no-such-user.east',
    verdict: 'hard',
    pattern:
      /(?:uzytkownik|adresat|odbiorca|konto|skrzynka|adres|uzivatel|prijemce|schranka|adresa|kullanici|alici|hesap|adres)[^.;]{0,60}(?:nie istnieje|nieznany|nie (?:zostal )?znalezion|neexistuje|neznamy|nenalezen|bulunamadi|yok\b|mevcut degil|gecersiz)|(?:nieznany|neznamy|bilinmeyen) (?:uzytkownik|odbiorca|adresat|uzivatel|prijemce|kullanici|alici)/,
  },
  {
    name: 'local.no-such-user.ru',
    verdict: 'hard',
    pattern:
      /(?:пользовател|получател|адресат|адрес|ящик|абонент|аккаунт|учетн|учётн)[^.;]{0,60}(?:не найден|не существует|неизвест|не зарегистр|отключен|отключён|удален|удалён|заблокирован|недействител|неверн|не обнаружен)|(?:нет|не существует|неизвестный|несуществующий|не найден) (?:такого |такой |такое )?(?:пользовател|получател|адрес|ящик|абонент|почтов)|домен[^.;]{0,30}(?:не существует|не найден|неизвест)/,
  },
  {
    name: 'local.no-such-user.zh',
    verdict: 'hard',
    pattern:
      /(?:用户|用戶|使用者|收件人|收信人|收件者|邮箱|郵箱|信箱|地址|帐号|帳號|账号|帐户|帳戶|邮件地址|電子郵件地址)[^。;]{0,20}(?:不存在|无效|無效|不正确|未找到|找不到|没有找到|沒有找到|不可用|已(?:被)?(?:停用|禁用|注销|冻结|關閉|关闭|刪除|删除))|(?:找不到|无法找到|無法找到|不存在|没有|沒有|查无|查無)(?:该|此|這個|这个|您|對方|对方)?(?:用户|用戶|使用者|收件人|收件者|邮箱|郵箱|信箱|地址|帐号|帳號|账号)|(?:域名|網域|网域)[^。;]{0,12}(?:不存在|找不到|无效|無效)/,
  },
  {
    name: 'local.no-such-user.ja',
    verdict: 'hard',
    pattern:
      /(?:ユーザ|宛先|宛て先|あて先|メールアドレス|アドレス|受信者|アカウント|メールボックス|ディレクトリ|ドメイン|受取人)[^。;]{0,30}(?:見つかりません|見つかりませんでした|見つからな|存在しません|存在しない|登録されていません|ありません|不明|無効|間違って|誤り|使われておりません|リストにありません)|(?:存在しない|不明な|無効な|登録されていない)(?:ユーザ|宛先|メールアドレス|アドレス|受信者|ドメイン)/,
  },
  {
    name: 'local.no-such-user.ko',
    verdict: 'hard',
    pattern:
      /(?:사용자|수신자|받는 ?사람|메일 ?주소|주소|계정|도메인)[^.;]{0,24}(?:존재하지 ?않|찾을 수 없|없습니다|없는|잘못|올바르지 ?않|휴면|탈퇴)/,
  },
];
