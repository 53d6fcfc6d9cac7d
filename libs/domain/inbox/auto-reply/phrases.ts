import { type Language } from '../text/language';

/** What people let their mailbox answer, as sources of regular expressions over folded text on one line. */
export interface Phrases {
  readonly language: Language;
  /** Says of itself that nobody wrote it: proof. */
  readonly automatic: string;
  /** The writer is away, as a sentence of their own. */
  readonly away: string;
  /** Words of absence that say it only of a mail that is known to be automatic. */
  readonly absence: string;
  /** What a mailbox adds: mail is not read or passed on, somebody else helps, an answer comes after the return. */
  readonly arrangement: string;
  /** "Thank you for your message", at the beginning. */
  readonly opener: string;
  /** "We have received your message." */
  readonly received: string;
  /** "We will answer within 24 hours." */
  readonly promise: string;
  /** Whose mailbox it was is not there any more. */
  readonly left: string;
}

export const PHRASES: readonly Phrases[] = [
  {
    language: 'en',
    automatic:
      '(?:this|the following|below) (?:is|was|message is|e-?mail is|mail is|reply is|response is)(?: being)? (?:an? )?(?:auto(?:matic(?:ally)?|mated)?[ -]?(?:generated |email |e-mail )?(?:reply|response|message|e-?mail|answer|notification|acknowledge?ment|generated|sent)|sent automatically|a system[ -]generated)|auto(?:matic|mated)[ -]?(?:reply|response|e-?mail response)|(?:please )?do not (?:reply|respond) to this (?:automated |automatic )?(?:e-?mail|message)|this (?:mailbox|inbox|e-?mail (?:address|account|box)) is (?:not|un|no longer) ?(?:being )?(?:monitored|attended|read|in use)|(?:un-?monitored|unattended) (?:mailbox|inbox|e-?mail)',
    away: "(?:i am|i'm|i will be|i'll be|we are|we will be) (?:currently |presently |now |also |away and )?(?:out of (?:the )?office|out of town|away from (?:the office|my (?:desk|e-?mail|computer))|(?:away )?on (?:annual |maternity |paternity |parental |sick |medical |summer |winter |family |study |extended )*(?:leave|vacation|holidays?|pto|sabbatical|business travel|a business trip)|on (?:a )?(?:well[- ]deserved )?(?:break|vacation|holiday)|travel+ing (?:on business|for work|with limited)|away (?:until|from|till|on|and)|not in the office|unavailable (?:until|from|and)|absent|out (?:until|from|on|today|sick|with limited)|attending a conference|in a training|in (?:an? )?(?:all[- ]day|back[- ]to[- ]back) (?:meetings?|training|workshops?|conference))|(?:i am|i'm) (?:ooo|oof)\\b|out of (?:the )?office (?:until|from|with|starting|and will|returning|today)|(?:our|the) offices? (?:is|are|will be) (?:currently )?closed|currently (?:out of (?:the )?office|on (?:annual |maternity |parental )?leave|on vacation|on holiday)|(?:is|are|will be) (?:currently )?(?:out of (?:the )?office|on (?:annual |maternity |parental )?leave|on vacation)",
    absence:
      'out of (?:the )?office|\\booo\\b|\\boof\\b|on (?:annual |maternity |paternity |parental |sick )?leave|on (?:my )?(?:vacation|holidays?)|vacation (?:reply|response|message|responder|auto)|\\baway (?:until|from|on|till|this|for|and|at)|\\bam away|absence|not in the office|(?:return|back) (?:to|in|at) (?:the |my )?(?:office|work|desk)|office (?:is|will be) closed|we are closed|holiday (?:closure|season)|travel+ing|sabbatical|i will be (?:back|returning)|i return on|annual leave|unavailable until|\\bpto\\b',
    arrangement:
      "(?:limited|no|intermittent|sporadic|little|reduced|restricted|only occasional) (?:access|ability|internet|connectivity)|(?:not|n't) (?:have |be )?(?:regularly |often )?(?:access(?:ing)?|check(?:ing)?|read(?:ing)?|monitor(?:ing|ed)?) (?:to )?(?:my |any )?(?:e-?mail|mail|inbox|messages)|(?:in|for|with) (?:an? |any |all |case of )?(?:urgent|emergenc|immediate|important)|if (?:your|this|the) (?:matter|request|e-?mail|message|enquiry|inquiry|query|issue)? ?(?:is|requires|needs) (?:an? )?(?:urgent|immediate|urgency|time)|if (?:it is|it's|you (?:need|require|have|want)) (?:an? |any )?(?:urgent|immediate|assistance|help|emergency)|in (?:my|his|her|the) absence|(?:not|n't) be (?:forwarded|read|monitored)|(?:reply|respond|answer|get back|be in touch|return your|attend)[^.]{0,60}(?:my return|end of the day|i return|i'm back|i am back|i get back|i'm in|upon return|when back)|(?:upon|on|after) my return|as soon as i (?:return|am back|get back|can)|delayed? (?:in )?(?:response|reply|replies|responding)|(?:slow|slower) to (?:respond|reply)",
    opener:
      '(?:thank(?:s| you)(?: (?:very|so) much)? for (?:your |the |contacting |writing|getting in touch|reaching out|e-?mailing|sending)|your (?:e-?mail|message) has been received)',
    received:
      "(?:(?:we|i) (?:have |'ve )?(?:successfully )?(?:received|got) your (?:e-?mail|message|enquir|inquir|request|query|ticket|submission|application|mail)|your (?:e-?mail|message|request|enquiry|inquiry|query|ticket|submission|case|application|support request)[^.]{0,60}(?:has been|was|is) (?:received|created|logged|submitted|assigned|registered|opened|being reviewed)|(?:respond|reply|answer) to your (?:enquiry|inquiry|request|query|e-?mail|message)|a (?:new )?(?:support )?(?:ticket|case|request) (?:has been|was) (?:created|opened|logged)|thank you for (?:contacting|reaching out to|getting in touch with|your (?:enquiry|inquiry|request)))",
    promise:
      "(?:(?:will|'ll|shall|aim to|endeavou?r to|try to|strive to|be) (?:get back|respond|reply|be in touch|contact|in contact|answer|be responded|be answered|review|return|reviewed)[^.]{0,80}(?:within|as soon as|shortly|soon|business day|working day|hours|in due course|earliest)|(?:within|in|of) (?:the next )?(?:\\d+|one|two|three)(?: ?(?:-|to) ?\\d+)? (?:business |working )?(?:hours?|days?)|ticket (?:number|id|ref|#)|case (?:number|id|#)|reference (?:number|id)|request \\(?#?\\d+)",
    left: '(?:i|he|she|they|\\p{L}{2,20}) (?:have |has |am |is )?(?:now |recently )?(?:left|leaving|retired from|no longer (?:with|at|works? (?:for|at|here)|working (?:for|at|here)|employed)|does not work (?:for|at|here) any ?more)',
  },
  {
    language: 'de',
    automatic:
      '(?:dies|das|diese[rs]?(?: (?:e-?mail|mail|nachricht|antwort))?) (?:ist|wurde|wird) (?:eine? )?(?:automatisch(?:e[rns]?)? (?:erstellt|generiert|erzeugt|versandt|verschickt|versendet|gesendet|antwort|nachricht|e-?mail|mail|eingangsbestatigung|ruckmeldung|mitteilung)|automatisiert)|automatisch(?:e[rns]?)? (?:generierte|erstellte|erzeugte|versandte|antwort|abwesenheit|eingangsbestatigung|ruckantwort|beantwortet)|bitte (?:antworten sie )?nicht auf diese (?:e-?mail|mail|nachricht)',
    away: '(?:ich bin|ich werde|wir sind|bin ich|sind wir)[^.!?]{0,60}(?:nicht im (?:buro|buero|haus|dienst|office)|ausser haus|abwesend|im urlaub|in urlaub|auf (?:dienst|geschafts)?reisen?|nicht (?:am arbeitsplatz|am platz|da|erreichbar|verfugbar|anwesend|zu erreichen)|in (?:elternzeit|mutterschutz|karenz)|krank|unterwegs|out of office)|(?:derzeit|momentan|aktuell|zurzeit|zur zeit|leider)[^.!?]{0,30}(?:nicht im (?:buro|buero|haus)|abwesend|im urlaub|nicht erreichbar|ausser haus)|(?:unser|das) (?:buro|buero|betrieb|unternehmen|geschaft)[^.!?]{0,60}geschlossen|betriebs(?:ferien|urlaub)|abwesenheits(?:notiz|nachricht|meldung)|(?:nicht am platz|(?:erreichen sie mich|sie mich|mich erreichen sie) (?:erst )?wieder|mich erreichen sie erst)|befinde mich[^.!?]{0,30}(?:urlaub|reise|elternzeit|abwesen)',
    absence:
      'abwesen|urlaub|nicht im (?:buro|buero|haus)|ausser haus|elternzeit|mutterschutz|betriebsferien|geschlossen|(?:erst )?(?:wieder|zuruck|zurueck) (?:am|ab|im)|dienstreise|geschaftsreise|nicht erreichbar|feiertag|krankheit|out of office',
    arrangement:
      '(?:in|bei) dringende[nr]? (?:fallen|fall|angelegenheit|anliegen|anfragen|themen)|in meiner abwesenheit|wahrend meiner abwesenheit|wenden sie sich|kontaktieren sie|(?:nicht|weder)[^.]{0,40}(?:weitergeleitet|gelesen|bearbeitet)|keinen? (?:zugriff|zugang)|eingeschrankt|nach meiner (?:ruckkehr|rueckkehr|abwesenheit)|sobald ich (?:wieder|zuruck)|meine vertretung|vertritt mich|wende dich|werde ich[^.]{0,60}beantworten|(?:schnellstmoglich|umgehend)[^.]{0,30}(?:antworten|melden|bearbeiten)',
    opener:
      '(?:vielen |herzlichen |besten )?dank(?:e)? fur (?:ihre|deine|die|eure) (?:e-?mail|mail|nachricht|anfrage|mitteilung|kontaktaufnahme|interesse)|danke fur (?:ihr|dein)',
    received:
      '(?:ihre|deine) (?:e-?mail|mail|nachricht|anfrage|mitteilung|anliegen)[^.]{0,40}(?:erhalten|eingegangen|eingetroffen|registriert|aufgenommen)|wir haben (?:ihre|deine) (?:e-?mail|mail|nachricht|anfrage)[^.]{0,20}erhalten|(?:ein )?ticket[^.]{0,40}(?:erstellt|eroffnet|angelegt)|dank fur (?:ihre|deine) (?:anfrage|kontaktaufnahme)',
    promise:
      '(?:schnellstmoglich|baldmoglichst|umgehend|zeitnah|in kurze|so schnell wie moglich|so bald wie moglich|in den nachsten tagen|innerhalb von)[^.]{0,80}(?:antwort|melden|bearbeit|beantwort|zuruck|bei ihnen|stunden|tagen)|(?:melden uns|antworten|bearbeiten|kummern uns)[^.]{0,60}(?:schnellstmoglich|umgehend|zeitnah|in kurze|baldmoglichst)|ticket-?(?:nummer|id|nr)|vorgangsnummer|bearbeitungsnummer',
    left: '(?:nicht (?:mehr|langer)|verlassen|ausgeschieden)(?: \\p{L}{1,14}){0,5} (?:im unternehmen|unternehmen|tatig|beschaftigt|bei uns|firma)|(?:unternehmen|firma)(?: \\p{L}{1,12}){0,4} verlassen|ausgeschieden|im ruhestand',
  },
  {
    language: 'fr',
    automatic:
      '(?:ceci|cet? (?:e-?mail|message|courriel|reponse)) (?:est|a ete) (?:une? )?(?:reponse automatique|message automatique|automatique|envoyee? automatiquement|genere[e]? automatiquement)|(?:reponse|message) automatique|merci de ne pas repondre a ce (?:message|mail|courriel)|ne pas repondre a cet? (?:e-?mail|message)',
    away: '(?:je suis|je serai|nous sommes|je me trouve)[^.!?]{0,40}(?:absente?s?|en conges?|en vacances|hors du bureau|en deplacement|en arret|indisponible|en rtt|en formation|en conge (?:maternite|paternite|parental))|(?:actuellement|momentanement|etant) (?:absente?|en conges?|en vacances|en deplacement|indisponible)|(?:nos bureaux|notre (?:bureau|societe|entreprise|agence|etablissement)) (?:est|sont|sera|seront) fermee?s?|absente? du bureau|je ne (?:suis|serai) pas (?:au bureau|present|disponible|joignable)',
    absence:
      'absen[ct]|conges?|vacances|hors du bureau|deplacement|fermee?s?\\b|fermeture|de retour|mon retour|indisponible|ferie',
    arrangement:
      "en cas d'urgence|pour toute (?:urgence|demande|question)|(?:pendant|durant|en) mon absence|des mon retour|a mon retour|(?:acces|consult)[^.]{0,30}(?:limite|messagerie|mails|e-mails|courriels)|(?:vous pouvez|merci de|veuillez|n'hesitez pas a) (?:contacter|vous adresser|joindre)|ne (?:sera|seront) pas (?:transfere|lu|transmis)|prendrai connaissance|je vous repondrai|reviendrai vers vous",
    opener:
      "merci (?:beaucoup )?(?:pour|de) votre (?:message|e-?mail|mail|courriel|demande|prise de contact)|je vous remercie (?:pour|de) votre|j'ai bien recu",
    received:
      "(?:nous avons |j'ai )bien recu (?:votre|vos) (?:message|e-?mail|mail|demande|courriel|requete)|votre (?:message|demande|e-?mail|courriel|requete|ticket)[^.]{0,40}(?:bien ete|a ete|est bien) (?:recue?|enregistree?|prise? en compte|cree)|accuse de reception",
    promise:
      '(?:dans les (?:plus brefs|meilleurs) delais|des que possible|sous \\d+ ?(?:h|heures|jours)|dans un delai|rapidement|au plus vite|prochainement)|numero de (?:ticket|dossier|demande)',
    left: "(?:ne (?:travaille|fait|fais|suis) plus|a quitte|ai quitte|n'est plus)",
  },
  {
    language: 'es',
    automatic:
      '(?:este|esta) (?:es|e-?mail es|mensaje es|correo es|respuesta es|mensaje ha sido|correo ha sido) (?:una? )?(?:respuesta automatica|mensaje automatico|correo automatico|automatic[oa]|generad[oa] automaticamente|enviad[oa] automaticamente)|respuesta automatica|mensaje (?:generado )?automatic(?:o|amente)|(?:por favor,? )?no responda a este (?:mensaje|correo|e-?mail)',
    away: '(?:estoy|estare|me encuentro|me encontrare|estamos)[^.!?]{0,40}(?:fuera de (?:la )?oficina|de vacaciones|ausente|de viaje|fuera del? (?:la )?(?:oficina|despacho)|de baja|de permiso|de licencia|fuera (?:hasta|desde|del)|sin acceso)|(?:actualmente|temporalmente) (?:fuera de|de vacaciones|ausente)|(?:nuestras? oficinas?|la oficina) (?:esta|estara|permanecera|estaran|permaneceran) cerrad|permanecere(?:mos)? (?:fuera|ausente|cerrad)|no (?:estare|estoy|me encuentro) (?:disponible|en la oficina|en el despacho)',
    absence:
      'fuera de (?:la )?oficina|fuera del? (?:la )?(?:oficina|despacho)|vacaciones|ausen|de viaje|cerrad|festiv|de baja|permiso|licencia|me reincorpor|regreso|de vuelta|volvere',
    arrangement:
      '(?:en caso de|para|si es|por cualquier|si (?:su|tu) (?:consulta|asunto|mensaje) es|cualquier) (?:cualquier )?(?:urgen|emergencia|asunto urgente|tema urgente|consulta urgente)|(?:durante|en) mi ausencia|a mi (?:regreso|vuelta)|acceso (?:limitado|restringido|intermitente)|acceso al correo|(?:puede|pueden|puedes|favor de|por favor) (?:contactar|dirigirse|comunicarse|ponerse en contacto|escribir)|(?:(?:le|te|les) )?(?:respondere|contestare|atendere)(?!\\p{L})|tan pronto como (?:regrese|vuelva)|no (?:sera|seran) (?:reenviad|leid)|contactar? (?:a|con) ',
    opener: '(?:muchas )?gracias por (?:su|tu|el|vuestro|contactar|escribir|ponerse|comunicarse)',
    received:
      'hemos recibido (?:su|tu|el) (?:mensaje|correo|e-?mail|consulta|solicitud)|(?:su|tu) (?:mensaje|correo|consulta|solicitud|e-?mail|ticket)[^.]{0,30}(?:ha sido|fue) (?:recibid|registrad|cread)|acuse de recibo|gracias por (?:contactar|comunicarse|ponerse en contacto)',
    promise:
      '(?:a la (?:mayor )?brevedad|lo antes posible|en breve|en (?:un plazo|menos) de|en las proximas|tan pronto como|dentro de (?:las )?\\d+|cuanto antes)|numero de (?:ticket|caso|solicitud)',
    left: '(?:ya no (?:trabaja|trabajo|labora|forma parte|estoy)|ha dejado (?:la empresa|de trabajar)|he dejado)',
  },
  {
    language: 'pt',
    automatic:
      '(?:esta|este) (?:e|e-?mail e|mensagem e|mensagem foi) (?:uma? )?(?:resposta automatica|mensagem automatica|e-?mail automatico|automatic[oa]|gerad[oa] automaticamente|enviad[oa] automaticamente)|resposta automatica|mensagem automatica|(?:por favor,? )?nao responda a? ?(?:a )?est[ea] (?:mensagem|e-?mail)',
    away: '(?:estou|estarei|encontro-me|estamos|me encontro|estaremos)[^.!?]{0,40}(?:fora do escritorio|de ferias|em ferias|ausente|em viagem|viajando|fora da? (?:empresa|escritorio)|de licenca|em licenca|de folga|de baixa)|(?:nosso|o) escritorio (?:esta|estara) (?:fechado|encerrado)|(?:estamos|estaremos) (?:fechados|encerrados|em recesso)|nao (?:estou|estarei) (?:disponivel|no escritorio|presente)',
    absence:
      'fora do escritorio|ferias|ausen|viagem|viajando|licenca|fechad|encerrad|feriado|recesso|regresso|retorno|de volta|folga',
    arrangement:
      '(?:em caso de|para|se for|casos?|assuntos?|qualquer|questoes) (?:assuntos? |questoes |de )?(?:urgen|emergencia)|(?:durante|na) (?:a )?minha ausencia|no meu (?:regresso|retorno)|quando (?:eu )?(?:regressar|retornar|voltar)|acesso (?:limitado|restrito)|acesso ao e-?mail|(?:por favor|favor|queira|pode)[^.]{0,15}(?:contact|contat|entrar? em contato|dirigir|falar)|nao (?:sera|serao) (?:reencaminhad|lid)|assim que (?:possivel|regressar|retornar|voltar)|responderei',
    opener:
      '(?:muito )?obrigad[oa] (?:pelo?a?|por) (?:o |a )?(?:seu|sua|contacto|contato|contactar|entrar|e-?mail|mensagem)|agradec(?:o|emos) (?:o |a )?(?:seu|sua)',
    received:
      'recebemos (?:o |a )?(?:seu|sua) (?:mensagem|e-?mail|contacto|contato|pedido|solicitacao)|(?:o |a )?(?:seu|sua) (?:mensagem|e-?mail|pedido|solicitacao)[^.]{0,30}(?:foi|recebid)|obrigad[oa] por (?:entrar em contato|contactar|nos contactar)',
    promise:
      '(?:o mais (?:breve|rapido|rapidamente) possivel|assim que possivel|em breve|no prazo de|dentro de \\d+|em ate \\d+|brevemente)|numero (?:do ticket|do pedido|de protocolo)|protocolo',
    left: '(?:ja nao trabalh|nao (?:trabalho|trabalha|faz|faco) mais|deixou a empresa|deixei a empresa|saiu da empresa)',
  },
  {
    language: 'nl',
    automatic:
      '(?:dit|deze) (?:is|e-?mail is|bericht is|mail is) (?:een )?(?:automatisch(?:e)? (?:antwoord|bericht|reactie|e-?mail|gegenereerd|verzonden|ontvangstbevestiging)|geautomatiseerd)|automatisch(?:e)? (?:antwoord|gegenereerd|afwezigheidsbericht|ontvangstbevestiging)|niet (?:te )?(?:beantwoorden|reageren) op (?:deze|dit) (?:e-?mail|mail|bericht)',
    away: '(?:ik ben|wij zijn|ben ik|zijn wij|we zijn)[^.!?]{0,50}(?:niet (?:op|in) (?:het )?kantoor|afwezig|op vakantie|met vakantie|niet (?:aanwezig|bereikbaar|beschikbaar)|met (?:zwangerschaps|ouderschaps)?verlof|vrij|op reis|gesloten)|(?:momenteel|tijdelijk|op dit moment)[^.!?]{0,20}(?:afwezig|niet (?:op|in) kantoor|op vakantie|niet bereikbaar)|(?:ons|het) kantoor[^.!?]{0,40}gesloten',
    absence:
      'afwezig|vakantie|niet (?:op|in) (?:het )?kantoor|verlof|gesloten|niet bereikbaar|weer (?:aanwezig|bereikbaar|op kantoor)|terug op|feestdag',
    arrangement:
      '(?:voor|bij|in) (?:dringende|spoedeisende|urgente|spoed|noodgevallen)|(?:tijdens|in) mijn afwezigheid|na mijn (?:terugkomst|vakantie|terugkeer|afwezigheid)|(?:beperkt|geen) (?:toegang|bereikbaar)|(?:kunt u|kan je|kun je|neem|gelieve)[^.]{0,20}contact|niet (?:doorgestuurd|gelezen)|zodra ik (?:terug|weer)|mijn e-?mails? (?:niet|beperkt)|zo spoedig mogelijk',
    opener:
      '(?:hartelijk |heel )?(?:dank|bedankt) voor (?:uw|je|het|de) (?:e-?mail|mail|bericht|reactie|contact|vraag)?',
    received:
      '(?:wij|we) hebben (?:uw|je) (?:e-?mail|mail|bericht|aanvraag|vraag|verzoek)[^.]{0,20}ontvangen|(?:uw|je) (?:e-?mail|mail|bericht|aanvraag|verzoek)[^.]{0,30}(?:ontvangen|geregistreerd|in behandeling)|ontvangstbevestiging',
    promise:
      '(?:zo (?:spoedig|snel) mogelijk|binnen (?:\\d+|een|twee) (?:uur|werkdag|dag|werkdagen|dagen)|op korte termijn|spoedig)|ticketnummer|referentienummer',
    left: '(?:niet (?:meer|langer) (?:werkzaam|in dienst|bij)|werk(?:t)? niet (?:meer|langer)|heeft (?:ons|het) (?:bedrijf )?verlaten)',
  },
  {
    language: 'it',
    automatic:
      "(?:questa|questo|la presente|il presente)[^.]{0,12} e'? ?(?:stat[oa] )?(?:una? |un')?(?:risposta automatica|messaggio automatico|e-?mail automatica|generat[oa] automaticamente|inviat[oa] automaticamente)|(?:risposta|messaggio) automatic[oa]|si prega di non rispondere a quest[oa]",
    away: "(?:sono|saro|siamo|mi trovo)[^.!?]{0,40}(?:fuori (?:ufficio|sede)|in ferie|in vacanza|assente|in viaggio|in trasferta|in maternita|in malattia|in permesso|non (?:saro )?(?:in ufficio|raggiungibile|disponibile))|non saro (?:in ufficio|disponibile|raggiungibile)|(?:i nostri uffici|il nostro ufficio|gli uffici|l'ufficio|l'azienda)[^.!?]{0,30}chius|(?:attualmente|momentaneamente) (?:assente|fuori|in ferie)|saremo chiusi",
    absence:
      'fuori (?:ufficio|sede)|ferie|vacanz|assen[tz]|chius|trasferta|maternita|rientr|di ritorno|festiv|permesso',
    arrangement:
      '(?:per|in caso di) (?:qualsiasi |ogni |casi |questioni |necessita |comunicazioni )?(?:urgen|emergenz)|(?:durante|in) (?:la )?mia assenza|al mio (?:rientro|ritorno)|accesso (?:limitato|saltuario)|(?:potete|puo|puoi|prego|vi prego di|si prega di)[^.]{0,20}(?:contattare|rivolger|scrivere)|non (?:verra|verranno|sara) (?:inoltrat|lett)|appena possibile|vi rispondero|le rispondero|rispondero',
    opener:
      "grazie (?:mille )?per (?:il (?:suo|tuo|vostro)|la (?:sua|tua|vostra)|averci|avermi|aver|l'e-?mail)|la ringrazi(?:o|amo) per",
    received:
      'abbiamo ricevuto (?:il|la) (?:suo|sua|tuo|tua|vostro|vostra)|(?:il|la) (?:suo|sua|tua|tuo|vostra|vostro) (?:messaggio|richiesta|e-?mail)[^.]{0,30}(?:e stat[oa]|ricevut|registrat)|grazie per averci contattat',
    promise:
      '(?:al piu presto|il prima possibile|quanto prima|entro \\d+|nel piu breve tempo|a breve|appena possibile)|numero (?:di )?ticket',
    left: '(?:non (?:lavoro|lavora|fa|faccio)(?: parte)? piu|ha lasciato|ho lasciato)',
  },
];
