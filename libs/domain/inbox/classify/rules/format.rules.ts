/** A program by the sentences that its reports begin with. The text is folded (`folded`) and has its line breaks. */
export interface FormatRule {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Only what no person writes. The first that fits names the format; all count the same. */
export const FORMAT_RULES: readonly FormatRule[] = [
  {
    name: 'qmail',
    pattern:
      /this is the [^\n]{0,30}(?:qmail-send|mail delivery) ?(?:program|agent)? at|i'm afraid i wasn't able to deliver your message|this is the qmail|su mensaje no pudo ser entregado|--- below this line is a copy of the m/,
  },
  {
    name: 'exim',
    pattern:
      /this message was created automatically by (?:the )?(?:mail delivery|smtp|[\w .-]{1,30}) ?software|a message that you sent (?:could not be|has not yet been) delivered|------ this is a copy of (?:the|your) message|router encountered the following error|contained one or more recipient addresses/,
  },
  {
    name: 'postfix',
    pattern:
      /this is the (?:postfix|mail system)(?: program)? at host|i'm sorry to have to inform you that|sorry to have to inform you that your message/,
  },
  {
    name: 'sendmail',
    pattern:
      /the following addresses had (?:permanent|transient|delivery|successful|fatal)|-{3,} ?transcript of session follows|-{3,} ?the following addresses|the original message was received (?:at|on)|-{3,} ?unsent message (?:below|follows)|following addresses had delivery errors/,
  },
  {
    name: 'exchange',
    pattern:
      /did not reach the following recipient|msexch:|diagnostic information for administrators|informations? de diagnostic pour les administrateurs|diagnoseinformationen fur administratoren|informacion de diagnostico para (?:los )?administradores|informazioni di diagnostica per|informacoes de diagnostico para|diagnostische gegevens voor|diagnostisk information|管理者向けの診断情報|diagnoseoplysninger|管理员的诊断信息|(?:系统)?管理員的診斷資訊|диагностические сведения для администраторов|generating server:|delivery has failed to these recipients|your message to [^\n]{1,200} couldn't be delivered|couldn't be delivered to the following|remote server returned|this message was rejected by the recipient e-?mail system|imceaex-/,
  },
  {
    name: 'domino',
    pattern:
      /was not delivered to:|-{3,} failure reasons|(?:listed|se encuentra) [^\n]{0,30}(?:domino|name & address book)/,
  },
  { name: 'groupwise', pattern: /the message that you sent was undeliverable to the following|groupwise/ },
  {
    name: 'google',
    pattern:
      /delivery to the following recipients? (?:failed|has been delayed)|(?:technical details of (?:permanent|temporary) failure)|\*\* (?:address not found|message (?:not delivered|blocked|rejected)|adresse nicht gefunden|delivery (?:incomplete|delayed|status)|recipient inbox full)|your message wasn't delivered to|there was a (?:temporary )?problem (?:while )?deliver(?:ing|y)(?: of)? your message|wurde nicht an [^\n]{1,200} zugestellt|the response (?:from the remote server )?was:/,
  },
  {
    name: 'yahoo',
    pattern:
      /unable to deliver (?:your )?message to the following address|sorry, we were unable to deliver your message|message from (?:[\w.-]{1,60})\.\s{1,4}unable to deliver/,
  },
  {
    name: 'courier',
    pattern:
      /this is a delivery status notification from|undeliverable mail\s{1,4}your message to the following recipients cannot be delivered|your message to the following recipients? cannot be delivered/,
  },
  { name: 'mdaemon', pattern: /had (?:permanent )?fatal delivery errors|mdaemon|session transcript/ },
  { name: 'mailenable', pattern: /mailenable: |message could not be delivered to some recipients/ },
  { name: 'james', pattern: /this is the james mail server/ },
  {
    name: 'imail',
    pattern:
      /^(?:unknown (?:user|host)|user mailbox exceeds allowed size|invalid final delivery userid|undeliverable to|delivery failed \d+ attempts):? [^\n]{0,99}@|body of message generated response/m,
  },
  { name: 'mailmarshal', pattern: /could not be delivered because of\s|the following recipients were affected/ },
  { name: 'mfilter', pattern: /-{3,}(?:server message|smtp command)/ },
  {
    name: 'interscan',
    pattern: /unable to deliver message to <|(?:sent|received) (?:<<<|>>>) |message from interscan/,
  },
  {
    name: 'netscape',
    pattern:
      /this message was undeliverable due to the following reason|returned message follows|your message could not be delivered for the following reason/,
  },
  { name: 'mailfoundry', pattern: /delivery failed for the following reason/ },
  {
    name: 'hmailserver',
    pattern:
      /your message did not reach some or all of the intended recipients|the following recipient\(s\) could not be reached/,
  },
  { name: 'kddi', pattern: /could not be delivered to: <|your mail (?:sent|attempted to be delivered) on:/ },
  {
    name: 'ezweb',
    pattern:
      /the user\(s\) account is |each of the following recipients was rejected|the following recipients? did not receive this message/,
  },
  {
    name: 'sun',
    pattern:
      /this report relates to a message you sent with the following header|your message (?:cannot be delivered|is being returned|has been enqueued)/,
  },
  {
    name: 'powermta',
    pattern:
      /hello, this is the mail server on|delivery to the following recipients (?:was|has been) (?:aborted|failed)/,
  },
  { name: 'ses', pattern: /an error occurred while trying to deliver the mail to the following recipients/ },
  { name: 'webshield', pattern: /-{3,} ?failed recipients ?-{3,}/ },
  { name: 'zoho', pattern: /error_code ?:|\[status: error, address:/ },
  {
    name: 'aol',
    pattern: /the mail you sent could not be delivered to|your mail to the following recipients could not be delivered/,
  },
  {
    name: 'trouble',
    pattern:
      /we had trouble delivering your message|there was an error sending your mail|unable to deliver message to (?:the following|:)|smtp server <[^>\n]{1,200}> rejected recipient/,
  },
  {
    name: 'report',
    pattern:
      /this is an automatically generated delivery status notification|this is an automated (?:delivery|message from the mail)|message delivery notification|the following message could not be delivered|(?:your |the )?(?:e-?mail |mail )?(?:message|mail|email)[^.\n]{0,80}(?:could|can|did|was|has|is)(?: ?not|n't) (?:be |been |yet been )?(?:successfully )?(?:delivered|sent|reach)|(?:delivery|message) (?:to|for) (?:the )?following (?:recipients?|address(?:es)?|users?)|unable to deliver your (?:message|mail)|failed to deliver (?:your|the) (?:message|mail|e-?mail)|undeliverable (?:mail|message|to)|reason for (?:failure|rejection|undeliver)|final-recipient:/,
  },
  {
    name: 'report.de',
    pattern:
      /(?:nachricht|e-?mail|mail)[^.\n]{0,100}(?:nicht (?:zugestellt|ubermittelt|ausgeliefert|gesendet)|unzustellbar)|fehler bei der (?:nachrichten)?zustellung|konnte nicht zugestellt werden|zustellung[^.\n]{0,60}(?:fehlgeschlagen|nicht moglich)|hat (?:die|den) folgenden empfanger nicht erreicht/,
  },
  {
    name: 'report.fr',
    pattern:
      /(?:message|courrier|mail|remise)[^.\n]{0,100}(?:n'a pas (?:pu )?(?:etre |ete )?(?:remis|delivre|distribue|envoye|achemine|atteint)|non (?:remis|distribu|delivre)|n'est pas parvenu|a echoue)|echec de (?:la )?(?:remise|distribution|livraison)|impossible de (?:remettre|distribuer|delivrer)/,
  },
  {
    name: 'report.es',
    pattern:
      /(?:mensaje|correo|entrega)[^.\n]{0,100}(?:no (?:se )?(?:ha )?(?:podido|pudo) (?:ser |se )?(?:entreg|envia)|no (?:fue|ha sido|se entrego|se pudo) ?(?:entregado|enviado)?|no entregado|ha fallado|ha producido un error)|no se (?:ha )?(?:podido|pudo) entregar|error (?:al|de) entrega/,
  },
  {
    name: 'report.pt',
    pattern:
      /(?:mensagem|e-?mail|entrega)[^.\n]{0,100}(?:nao (?:pode|foi|poude|puderam|podera)(?: ser)? (?:entregue|enviad|possivel)|nao entregue|falhou)|falha na entrega|nao foi possivel entregar/,
  },
  {
    name: 'report.it',
    pattern:
      /(?:messaggio|posta|e-?mail|recapito)[^.\n]{0,100}(?:non (?:e stat[oa]|puo essere|ha potuto|e possibile) ?(?:recapit|consegn|inviat|essere)|non recapit|non consegn)|mancato recapito|impossibile (?:recapitare|consegnare)|recapito non riuscito/,
  },
  {
    name: 'report.nl',
    pattern:
      /(?:bericht|e-?mail|bezorging)[^.\n]{0,100}(?:niet (?:worden )?(?:bezorgd|afgeleverd|verzonden)|is mislukt|onbestelbaar)|kan niet worden bezorgd/,
  },
  {
    name: 'report.nordic',
    pattern:
      /(?:meddelandet?|meddelelsen?|meldingen?|e-?post)[^.\n]{0,100}(?:kunde inte levereras|kunne ikke leveres|kan inte levereras|ble ikke levert|inte levereras|olevererbar)/,
  },
  {
    name: 'report.pl',
    pattern:
      /(?:wiadomosc|wiadomosci)[^.\n]{0,100}nie (?:mogla|moze|zostala|mozna) (?:zostac |byc )?(?:dostarcz|doreczon)|zprava[^.\n]{0,80}nemohla byt dorucena|ileti[^.\n]{0,80}teslim edilemedi/,
  },
  {
    name: 'report.ru',
    pattern:
      /(?:письмо|сообщени[ея]|почт[аы])[^.\n]{0,100}(?:не (?:может|могло|было|удалось|доставлен)[^.\n]{0,40}(?:доставлен|отправлен|доставить)|не доставлен)|не удалось доставить|ошибка доставки|недоставленн/,
  },
  {
    name: 'report.zh',
    pattern:
      /(?:邮件|郵件|信件|来信|信息)[^。\n]{0,40}(?:无法|無法|未能|不能|没有|被)(?:被)?(?:投递|投遞|送达|送達|发送|傳送|传送|递送|遞送|退回|退信|发送到)|退信|投递失败|投遞失敗|无法送达|無法送達|系统退信/,
  },
  {
    name: 'report.ja',
    pattern:
      /(?:メール|メッセージ|電子メール)[^。\n]{0,60}(?:配信でき|送信でき|届け(?:られ|ること)|配信されません|配送でき|お届けでき|送れません|配信不能|到達し(?:ません|なか))|配信(?:に|が)失敗|送信に失敗|配信エラー|エラーメール|送信できません/,
  },
  {
    name: 'report.ko',
    pattern: /(?:메일|메시지)[^.\n]{0,40}(?:전송|배달|전달)(?:하지 못|되지 않|할 수 없|실패|에 실패)|반송/,
  },
];

/** Subjects of reports in the languages of the big programs. Folded. */
export const REPORT_SUBJECT =
  /undeliver|deliver(?:y|ing)? (?:status )?(?:notification|fail|report|error|problem|has fail|unsuccess|incomplete|delay)|delivery_failure|delivery to .{1,80} (?:failed|delayed)|mail delivery|mail system error|returned (?:mail|to sender|message|e-?mail)|failure (?:notice|notif|delivery)|failed (?:delivery|mail|message)|message (?:not|un|delivery|delayed|frozen|could|status|has been delayed|you sent)|non[- ]?(?:delivery|remis|recapit|distribu)|not? (?:be )?delivered|could not (?:be )?(?:send|sent|deliver)|couldn't be delivered|(?:mail|e-?mail|message) (?:system |transaction )?(?:failure|error|failed|returned|bounce)|bounced? (?:mail|message|e-?mail)|bounce notif|nondeliverable|user unknown|unknown (?:user|recipient)|warning: (?:could not send|message)|there was an error sending|rejected|unzustellbar|nicht zugestellt|nicht zustellbar|zustell(?:ung|bericht|problem|fehl)|mailzustellung|fehlgeschlagen|non_remis|non remis|echec|remise|notification d'etat|undelivrable|devuelto|no se (?:puede|pudo|ha podido) entregar|no entregado|notificacion (?:de|del) estado|error (?:de|en la|al) (?:entrega|envio)|nao entregue|falha na entrega|devolvid|notificacao (?:de|do) (?:status|estado)|nao e possivel entregar|mancato recapito|non recapit|notifica(?:zione)? (?:dello )?(?:stato|mancato)|messaggio non|mancata consegna|onbestelbaar|niet (?:bezorgd|afgeleverd)|bezorg(?:ing|status)|olevererbar|kan inte levereras|kunne ikke leveres|uleverbar|nie mozna dostarczyc|niedostarcz|nedoruc|teslim edil|не доставлено|недоставленн|не удалось доставить|ошибка доставки|退信|投递失败|投遞失敗|系统退信|无法送达|無法傳遞|無法送達|无法传递|未送达|未传递|配信(?:不能|エラー|失敗)|配信できません|送信(?:エラー|失敗|できません)|エラー通知|未達|不達|반송|배달되지|전송 실패/;

/** Who sends reports. Name and address, folded. */
export const REPORT_SENDER =
  /mailer-?daemon|maildaemon|mail[ _-]?daemon|postmaster|post_master|mail ?delivery|delivery (?:sub)?system|delivery[ _-]agent|mail(?:er)? ?(?:system|subsystem|administrator|admin|agent)\b|system ?administrat|administrateur (?:systeme|de messagerie)|microsoft ?(?:outlook|exchange)|mdaemon|internet mail|^<>$|double-bounce|bounce(?:s|d)?[@+-]|smtp (?:gateway|server)|returned mail|mail router|message ?router|delivery-?(?:status|notif|report)|mta@|sysadmin@|smtp[_ -]mail|ndr@|mail-?gateway|listserv|interscan|imss@|email delivery|anti-?virus|smtp[_ -]gateway/;

/** That it is still tried. Folded. */
export const STILL_TRYING =
  /(?:has been|was|is|been|message|delivery|mail) (?:temporarily )?delayed|delivery (?:status notification )?\(?delay|not yet (?:been )?delivered|still (?:be )?(?:trying|being)|(?:will|we'll) (?:continue|keep|be|still|automatically)[^.\n]{0,24}(?:try|retr|attempt|deliver)|(?:will|is) be(?:ing)? (?:retried|tried)|warning message only|do not need to resend|not been able to (?:send|deliver) [^.\n]{0,40}(?:for|in) (?:the )?(?:past|last)|could not (?:be )?(?:send|sent|delivered)[^.\n]{0,30}for (?:the )?(?:past|last|more than \d+ (?:hour|minute))|delivery attempts will (?:be )?continue|no action is required on your part|will (?:retry|try again) for|further attempts|message will be (?:retried|held)|noch nicht zugestellt|verzoger|weitere (?:zustell)?versuche|n'a pas encore (?:ete|pu)|retard(?:e|ee)\b|nouvelles tentatives|se ha retrasado|aun no se ha|(?:se )?seguir[ae] intentando|esta atrasad|ainda nao foi|continuar[ae] (?:a )?tent|in ritardo|non e (?:stato )?ancora|ulteriori tentativi|vertraag|nog niet (?:bezorgd|afgeleverd)|задерж|ещё не доставлен|еще не доставлен|попытки (?:доставки )?будут|延迟|延遲|稍后(?:继续|重试)|将继续(?:尝试|投递)|まだ(?:配信|配送|送信)|遅延|再送(?:します|を)|再試行/;

/** That it is over. Folded. */
export const GAVE_UP =
  /permanent(?:ly)? (?:error|fail|fatal)|failed permanently|given up|gave up|not (?:be )?(?:retried|try again)|no further (?:delivery )?attempt|i've given up|giving up|will not be retried|is being returned|endgultig|dauerhaft|definitivement|definitivamente|permanente/;
