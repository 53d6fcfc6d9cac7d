import { type LabelRules } from './label.rules';

const DAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|next week|this (?:week|afternoon|morning)|the \\d{1,2}(?:st|nd|rd|th)';
const TIME = "\\d{1,2}(?:[:.]\\d\\d)? ?(?:am|pm|a\\.m|p\\.m|o'clock|est|pst|cet|gmt|et\\b|pt\\b)|\\d{1,2}:\\d\\d|noon";
const MATERIAL =
  'info|information|details|deck|brochure|proposal|pricing|prices?|quote|link|calendar|invite|invitation|one-pager|presentation|case stud|material|offer|times|availability|catalogue?|demo|specs|documentation|slides|samples?|overview|something';
const TALK =
  '(?:talk|chat|connect|meet|discuss|speak|learn|hear|know|explore|schedule|set (?:up|something up)|have (?:a|another) (?:call|chat|quick|look|conversation|demo)|hop on|jump on|get on|take a (?:look|call)|book|see (?:a|the|your|how|more|what|it)|find (?:a )?time|try|get (?:a demo|started|together)|do a (?:call|demo|trial)|arrange)';

export const ENGLISH: LabelRules = {
  language: 'en',
  negation: "not|n't|dont|doesnt|wont|no|never|neither|nor|hardly|without|unable",
  phrases: {
    shield: [
      [
        'keeps-subscription',
        "(?:do not|don't|dont|never|please don't) (?:remove|unsubscribe|take) (?:me|us)[^.,!?]{0,30}",
      ],
      [
        'their-subject',
        '(?:customers?|recipients?|people|users?|they|prospects?|contacts?|subscribers?|leads?)(?: \\p{L}{1,10}){0,3} unsubscribe|unsubscribe (?:rates?|features?|headers?)|opt-?out rates?',
      ],
      [
        'asks-interest',
        '(?:would|are|is|were) (?:you|your (?:team|company)|anyone) (?:be )?(?:also )?interested[^.!?]{0,40}|would you (?:be (?:open|willing)|like) to',
      ],
      [
        'if-interested',
        "(?:if|when|should|in case|whether|once)(?: and when)? (?:i|we)(?: am|'m| are|'re|'d be| would be| were| become| get| was|'s)?(?: ever)? (?:be )?interested[^.!?]{0,40}|if (?:it|this|that|things?|anything) (?:sounds|looks|changes)[^.!?]{0,40}|if (?:i|we) need[^.!?]{0,40}",
      ],
      [
        'interested-in-how',
        'interested (?:in|to) (?:know(?:ing)?|hear(?:ing)?|learn(?:ing)?|find(?:ing)? out) (?:how|where|why) you (?:got|found|obtained)[^.!?]{0,40}|interested part(?:y|ies)',
      ],
      [
        'no-objection',
        "no (?:problem|worries|doubt|objections?|issue)|why not|can't wait|cannot wait|not only|not a problem|do not hesitate|don't hesitate|nothing against|not un(?=interested)|wouldn't mind",
      ],
    ],
    'opt-out': [
      [
        'unsubscribe',
        '(?<!\\p{L})unsubscribe(?: me| us| this| from| my| please| request| now| and|[.!,]|$)|(?:want|like|wish|need|how (?:do|can) i|please|to) (?:to )?unsubscribe|^(?:re: )?(?:please )?unsubscribe(?!\\p{L})',
      ],
      [
        'off-the-list',
        '(?:remove|delete|take|drop|strike|scrub) (?:me|us|my|our|this (?:e-?mail|address|contact|account|inbox)|\\S{1,40}@\\S{1,60}|(?:his|her|their) (?:e-?mail|name|address))(?!\\p{L}) ?(?:(?:immediately|please|now|right away) )?(?:from|off|out|e-?mail|name|address|details|data|contact|information|please|immediately|now|at once|asap|[.!,]|$)|off (?:of )?(?:your|this|the) (?:\\p{L}{1,12} ){0,2}(?:list|database)|(?:remove|take)[^.!?]{0,30}(?:from|off)[^.!?]{0,30}(?:list|database|mailings?|records|distribution|crm|sequence)',
      ],
      [
        'stop-writing',
        "(?:stop|quit|cease|discontinue|refrain from) (?:(?:all|any|with|these|the|sending|your) )*(?:e-?mail(?:s|ing)?|contacting|messag(?:es|ing)|spam(?:ming)?|writing|harassing|bothering|mailing|calling|phoning|reaching out|following up|sending|solicit\\w*)|(?:do not|don't|dont|never|please no longer) (?:ever )?(?:e-?mail|contact|message|write(?: to)?|mail|send|spam|solicit|bother)(?: to)? (?:me|us|this|any|again|more|my|our|anything|further)|no (?:more|further) (?:e-?mails?|messages|contact|communications?|correspondence|solicitation)|^(?:please )?stop(?: it| this| please| now)?[.!]*$|lose my (?:e-?mail|number|address)",
      ],
      [
        'opts-out',
        "(?<!\\p{L})opt(?:ing)?[ -](?:me |us )?out(?!\\p{L})|(?:i|we) (?:do not|don't|dont|no longer|did not|didn't) (?:want|wish|consent|agree|like|ask|sign up)(?: up)? (?:for |to )?(?:receive|receiving|be contacted|being contacted|hear|get|getting|these|your|this|any)",
      ],
      [
        'data-erasure',
        '(?:delete|erase|remove) (?:all )?(?:of )?(?:my|our) (?:personal |contact )*(?:data|information|details|records)|right to be forgotten|cease and desist|(?:violat|breach)[^.!?]{0,30}(?:gdpr|can-?spam|privacy)|(?:gdpr|can-?spam)[^.!?]{0,30}(?:violat|breach|request|complaint)',
      ],
    ],
    refusal: [
      [
        'not-interested',
        "(?:not|n't|dont|no longer|never|neither|nor)(?: \\p{L}{1,14}){0,4} interested|(?:no|zero|little|lack of|without)(?: \\p{L}{1,12}){0,2} interest(?!\\p{L})|not (?:of|an) interest|uninterested|not interest(?!\\p{L})",
      ],
      [
        'declines',
        "(?:i|we|i'll|we'll|i'd|will|must|to) (?:have to |must |will |respectfully |politely |kindly |gonna |going to )*(?:pass(?! (?:this|it|that|you|your|on (?:your|the|this) (?:e-?mail|message|info|details|contact)|along|over to))|decline)(?!\\p{L})|(?<!\\p{L})no,? (?:but )?(?:thank(?:s| you)|thx|ty)(?!\\p{L})|^(?:hi[^.!,]{0,20}[,.!] ?)?(?:no|nope|nah|pass|hard pass)[.!]*$|thanks,? but no|(?:i'm|we're|im|i am|we are) (?:all )?(?:good|set|fine|covered)(?:,? (?:thanks|thank you|for now|here|at the moment|with)|[.!]|$)",
      ],
      [
        'not-a-fit',
        "not (?:really |quite |currently |necessarily )*(?:for (?:me|us)|(?:a |the )?(?:good |right |great |perfect )*(?:fit|match)|relevant|applicable|suitable|something (?:we|i|that)|anything|in (?:our|the) (?:scope|plans?|roadmap)|a priority|our (?:focus|priority|thing))|(?<!\\p{L})irrelevant|doesn't (?:fit|apply|suit|make sense|interest)|does not (?:fit|apply|suit|make sense|interest)",
      ],
      [
        'no-need',
        "(?:do not|don't|dont|no longer|didn't) (?:currently |really |actually |see |have )*(?:(?:a|any|the|this|much) )*(?:need|require|want|use for|requirement)(?!\\p{L})|no (?:need|use|requirement|demand)(?!\\p{L})|not (?:needed|required|necessary)|not (?:currently |actively )?(?:looking|in the market|shopping|seeking|hiring|buying|considering)",
      ],
      [
        'has-a-solution',
        '(?:already|currently) (?:have|use|using|work|working|covered|got|in place|a (?:client|customer)|partnered|signed|contracted|committed|under contract|do(?:ing)? (?:this|that))|(?:happy|satisfied|content|stick(?:ing)?) (?:with|in|at) (?:our|what|my|the) (?:current|existing|present|we|i)|in-?house (?:team|solution|already)|(?:have|built) (?:our own|an in-?house)',
      ],
      [
        'no-budget',
        "no budget|(?:don't|do not|doesn't|can't|cannot|haven't)(?: \\p{L}{1,12}){0,2} (?:budget|afford|funds|funding|resources|capacity|bandwidth)|too (?:expensive|pricey|costly)|budget (?:is )?(?:frozen|gone|spent|freeze)",
      ],
      [
        'decided-against',
        "decided (?:not|against|to go with|to stay)|(?:won't|will not|not|n't) (?:be )?(?:mov|proceed|go|tak)(?:e|ing)? (?:this )?(?:forward|ahead|further)|not (?:moving|going|proceeding) (?:forward|ahead|with)|went (?:with|for) (?:another|a different)|chosen (?:another|a different)|but no(?:t|pe)?[.!]*$",
      ],
      [
        'hostile',
        "leave (?:me|us) alone|go away|f\\S{0,3}k (?:off|you)|piss off|(?:waste|wasting)(?: of)? (?:my|our|your|everyone's)? ?time|(?:this|it|that) is (?:just |pure |clearly )?spam|report(?:ed|ing)? (?:you |this |it )?(?:as|for) spam|mark(?:ed|ing)? (?:this |you |it )?as spam|spammer|scam(?:mer)?(?!\\p{L})|unsolicited|how dare you|block(?:ed|ing) (?:you|your)",
      ],
    ],
    referral: [
      [
        'names-another',
        "(?:contact|reach out to|speak (?:to|with)|talk (?:to|with)|try|ask(?: for)?|e-?mail|write to|connect with|get in touch with|check with|(?:best|better|right) person(?: for this| to (?:talk|speak) to)? (?:is|would be)|(?:forward|pass|sent)(?:ed|ing)? (?:this|it|your (?:e-?mail|message|note|details|info|information))(?: \\p{L}{1,10}){0,2} to|cc'?(?:ing|ed|d)|copying|copied|looping in|adding) (?:in )?(?:my |our |the |him|her|mr|mrs|ms|\\S{1,40}@)(?! e-?mail| inbox)",
      ],
      [
        'names-somebody',
        '(?:contact|talk to|speak (?:to|with)|reach out to|e-?mail|try|ask|write to) (?!me|us|you|your|again|later|in |details|info|number|form|address|this|that|it|them|and|or|to |for |is |was )\\p{L}{2,20}(?: \\p{L}{2,20})?(?:[.,!]|$| instead| at | on | who| in )',
      ],
      [
        'forwarded',
        "(?:i've|i have|i will|i'll|i) (?:forward|pass|share)(?:ed)? (?:this|it|your)[^.!?]{0,40} (?:to|with|on|along)",
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        "^not me(?!\\p{L})|(?:not|n't|no longer) (?:be )?(?:the |a )?(?:right|correct|best|appropriate) (?:person|contact|one|department|team|place)|wrong (?:person|contact|department|e-?mail|address|company|guy)|not (?:my (?:area|department|responsibility|decision|role|job)|responsible for|involved (?:in|with)|in charge)|(?:don't|do not|no longer) (?:handle|deal with|manage|look after|make (?:these|those|that) decision)",
      ],
      [
        'left-the-company',
        "(?:no longer|not|n't) (?:work(?:s|ing)?|employed|with|at) (?:for |at |with |here|the company|us)|(?:left|leaving|has left|have left) (?:the company|the business|the organi[sz]ation|my (?:role|position|job))|(?:retired|passed away)(?!\\p{L})",
      ],
    ],
    later: [
      [
        'not-now',
        "not (?:at (?:this|the) (?:time|moment|stage|point|present)|right now|now|just yet|yet|currently|today|this (?:year|quarter|month|week)|for (?:now|the moment|the time being))|(?:bad|wrong|not (?:the|a) (?:right|good|best)) (?:time|timing|moment)|timing (?:is|isn't|is not)",
      ],
      [
        'another-time',
        "(?:maybe|perhaps|try|check|reach out|contact|circle|touch base|come|get|follow up|talk|revisit|reconnect|ping|write)(?: \\p{L}{1,10}){0,4} (?:later|next (?:year|quarter|month|spring|summer|autumn|fall|winter)|in (?:a (?:few|couple)(?: of)? (?:weeks?|months?)|(?:\\d|two|three|six|several) (?:weeks?|months?)|q[1-4]|the (?:new year|future|spring|summer|autumn|fall)|january|february|march|april|may|june|july|august|september|october|november|december)|after (?:the )?(?:holidays|summer|new year|christmas|q[1-4])|q[1-4]|down the (?:road|line))|keep (?:you|your|this|it)[^.!?]{0,30}(?:in mind|on file|for (?:the )?future)|(?:too|very|quite|so|super|i am|i'm|we are|we're) (?:busy|tied up|swamped|slammed)",
      ],
      [
        'thinks-about-it',
        "(?:think|sleep) (?:about|on|over) (?:it|this)|(?:i|we)(?:'ll| will) (?:let you know|get back to you|be in touch|review|discuss|consider)|(?:discuss|share)(?: \\p{L}{1,6}){0,2} (?:internally|with (?:my|our|the) (?:team|boss|manager|partner|board))",
      ],
    ],
    interest: [
      [
        'interested',
        "(?:i am|i'm|im|we are|we're|i'd be|we'd be|would be|might be|could be|may be|definitely|very|quite|really|yes|am|are)(?: \\p{L}{1,12}){0,2} interested(?!\\p{L})|^(?:hi[^.!,]{0,20}[,.!] ?)?interested(?:[.!,]|$| in)|(?:has|have|got|caught|piqued) (?:my|our) (?:interest|attention|eye)|(?<!not )worth (?:a|an?) (?:\\p{L}{1,8} )?(?:chat|call|conversation|look|discussion|meeting)|(?:i|we) (?:like|love) (?:the|your|this) (?:idea|approach|offer|concept|product|proposal)",
      ],
      [
        'sounds-good',
        '(?:sounds|looks|seems) (?:\\p{L}{1,12} )?(?:good|great|interesting|perfect|awesome|amazing|excellent|fantastic|wonderful|promising|intriguing|like a (?:plan|good|great))(?!\\p{L})',
      ],
      [
        'agrees-to-talk',
        `(?:let's|lets|let us) ${TALK}|let's do (?:it|this|that)|(?:happy|glad|keen|open|willing|love|like|delighted|pleased|up for|be great|be good|be nice|be helpful|want|wanted|ready|excited) (?:to )?${TALK}|(?:can|could|shall|may) (?:we|you and i|i) ${TALK}`,
      ],
      [
        'proposes-time',
        `(?:how about|what about|does|would|could (?:we|you) do|can (?:we|you) do|(?:i am|i'm|we are|we're|i'll be|im) (?:\\p{L}{1,10} )?(?:free|available|around|open)|are you (?:free|available)|works for (?:me|us)|let's (?:do|say|aim for|go for))(?: \\p{L}{1,10}){0,3} (?:${DAY}|${TIME})|(?:${DAY}|${TIME})(?: \\p{L}{1,10}| \\d{1,2}){0,4} (?:works|work|would work|is (?:good|fine|great|perfect|ok)|suits|would be (?:good|great|perfect|fine))|(?:when|what time|which day)(?: \\p{L}{1,10}){0,3} (?:suits? you|works? (?:best )?for you|(?:are )?you (?:available|free))|my (?:availability|calendar|calendly)|calendly\\.com`,
      ],
      [
        'asks-when',
        "when (?:would|could|can|will|might|are|do) you (?:be )?(?:free|available|around|have (?:some )?time)|(?:we are|we're|i am|i'm|have been|been) looking for (?:exactly|just|precisely) (?:this|that|such)",
      ],
      [
        'asks-for-material',
        `(?:send|share|forward|provide|e-?mail|shoot)(?: (?:me|us|over|it|through|across|along|a|an|some|any|the|your|more|further|additional|please|little|bit|of|that|you|have|\\p{L}{1,12})){0,5} (?:${MATERIAL})|(?:tell|show|teach) (?:me|us) (?:more|how)|(?:more|further|additional) (?:info|information|details)(?: (?:please|would|on|about)|[.!?]|$)|(?:learn|hear|know) more|book (?:a|some|me|us) (?:time|slot|call|meeting|demo|in)|sign (?:me|us) up|count (?:me|us) in|i'm in(?:[.!]|$)|get (?:me|us) started|how (?:do|can) (?:we|i) (?:get started|start|sign up|proceed)|next steps`,
      ],
      [
        'telephone',
        '(?:give me a (?:call|ring|shout|buzz)|call me(?! (?:again|anymore))|(?:my|the best) (?:direct |cell |mobile |phone )?(?:number|cell|mobile|phone)(?: number)? (?:is|:)|(?:you can )?(?:reach|text|ring|whatsapp) me (?:at|on)|send (?:me )?(?:a |an |your )?(?:calendar |meeting |teams |zoom )?(?:invite|invitation))',
      ],
      [
        'looks-forward',
        "look(?:ing)? forward to (?:speaking|talking|meeting|our|hearing|chatting|it|learning|discussing|your (?:call|proposal|invite))|(?:yes|sure|absolutely|definitely|certainly),? (?:please|let's|that works|i would|i'd|we would|we'd|go ahead|send|happy to|sounds|why not|tell me|call)",
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        '^(?:hi[^.!,]{0,20}[,.!] ?|hello[^.!,]{0,20}[,.!] ?)?(?:yes|yep|yeah|sure|absolutely|definitely|of course|certainly|ok|okay|great|perfect|deal|agreed|go ahead|works for me)(?: please| thanks| thank you| great| sure)?[.!, ]*$|^yes,? please',
      ],
      ['mentions-interest', '(?<!\\p{L})interested(?!\\p{L})|interesting'],
    ],
    question: [
      [
        'asks-who',
        'who (?:is this|are you|am i)|how did you (?:get|find|obtain|come)|where did you (?:get|find|obtain)|what (?:is this|company|do you (?:do|sell|offer|want))|is this (?:a|an) (?:bot|automated|spam|real)',
      ],
      ['asks-price', '(?:how much|what (?:does|do|is|are|would)[^.!?]{0,30}(?:cost|price|pricing|charge|fee|rate))'],
      ['asks-about', '(?:do|does|can|could|is|are|how|what|which|where|why|will|would|have)(?: \\S{1,20}){1,25} ?\\?'],
    ],
    thanks: [
      [
        'thanks-only',
        '^(?:(?:hi|hello|dear)[^.!,]{0,20}[,.!] ?)?(?:(?:many )?thanks?|thank you|thx|cheers|noted|received|got it|will do|appreciated)(?: \\p{L}{1,14}){0,8}[.! ]*$',
      ],
    ],
  },
};
