import { type LabelRules } from './label.rules';

const DAY =
  '(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?|sabado|domingo|amanha|hoje|(?:na )?(?:proxima semana|semana que vem)|esta semana';
const TIME =
  '(?:as )\\d{1,2}(?: ?h|:\\d\\d| horas)?|\\d{1,2} ?h(?:\\d\\d)?(?!\\p{L})|\\d{1,2}:\\d\\d|(?:de|pela|a) (?:manha|tarde)';
const MATERIAL =
  'info|informac(?:ao|oes)|detalhes|proposta|precos?|orcamento|folheto|apresentacao|link|catalogo|exemplos?|convite|tarifas?|oferta|demo|documentacao|material|valores';

export const PORTUGUESE: LabelRules = {
  language: 'pt',
  negation: 'nao|nem|nunca|sem|nenhum|nenhuma|tampouco|jamais',
  phrases: {
    shield: [
      ['no-objection', 'sem problemas?|por que nao|porque nao|nao hesite\\p{L}?|nao so(?!\\p{L})|nao ha problema'],
      ['if-interested', '(?:se|caso|quando)(?: \\p{L}{1,12}){0,4} (?:interess|precis)[^.!?]{0,40}'],
      [
        'asks-interest',
        '(?:esta|estao|estaria|teria|tem|gostaria) (?:voce |voces )?(?:interess)[^.!?]{0,30}|(?:lhe|te) interessa',
      ],
    ],
    'opt-out': [
      [
        'off-the-list',
        '(?:remov|retir|exclu|tir|elimin|apag|descadastr)\\p{L}{0,4}(?:[- ]?me|[- ]nos)?(?: (?:meu|minha|o meu|a minha|nosso|este|esse|o|me))?(?: \\p{L}{1,10}| e-?mail){0,3} (?:d[aeo]s?|desta|dessa) (?:\\p{L}{1,10} ){0,2}(?:lista|base|listagem|mailing|cadastro|newsletter|contatos|contactos)\\p{L}?|(?:me )?(?:remov|retir|exclu|descadastr)(?:a|am|ir|er|ar|e|em)(?:[- ]me)?(?: por favor|[.!]|$)|^(?:por favor,? )?(?:descadastr\\p{L}{1,4}|remover|cancelar (?:inscricao|subscricao|assinatura)|sair|parar|stop)[.! ]*$|cancelar(?: \\p{L}{1,8}){0,2} (?:inscricao|subscricao|assinatura)|descadastr\\p{L}{1,5}|descadastramento|(?:nao|deixar de) (?:quero|desejo|pretendo) (?:mais )?receber',
      ],
      [
        'stop-writing',
        '(?:nao|nunca)(?: (?:me|nos|quero|queremos|desejo|desejamos|voltem?|mais|gostaria de))*(?: a)? (?:me |nos )?(?:envi|escrev|contat|contact|mand|receb|incomod|lig)\\p{L}{1,7}(?:[- ](?:me|nos))?(?: \\p{L}{1,10}){0,3}(?: mais| e-?mails?| mensagens?| publicidade| novamente| de novo)|(?:par|deix)\\p{L}{1,3} de (?:me |nos )?(?:envi|escrev|contat|contact|mand|incomod)\\p{L}{1,6}|(?:chega de|sem mais|nao mais) (?:e-?mails?|mensagens|spam)',
      ],
      [
        'data-erasure',
        '(?:elimin|apag|exclu|remov)\\p{L}{1,6}(?: \\p{L}{1,10}){0,3} (?:dados|informacoes pessoais)|rgpd|lgpd|direito ao esquecimento|protecao de dados',
      ],
    ],
    refusal: [
      ['not-interested', '(?:nao|nem|nunca|sem|nenhum|pouco)(?: \\p{L}{1,12}){0,4} (?:interess\\p{L}{0,5})(?!\\p{L})'],
      [
        'declines',
        '(?<!\\p{L})nao,? (?:muito )?obrigad[oa]|obrigad[oa],? mas|agradec\\p{L}{1,4},? mas|^(?:ola[^.!,]{0,20}[,.!] ?)?nao[.! ]*$|(?:declin|recus|dispens)\\p{L}{1,5}|(?:infelizmente|lamento|desculpe)[^.!?]{0,30} nao(?!\\p{L})',
      ],
      [
        'no-need',
        'nao(?: \\p{L}{1,12}){0,3} (?:precis\\p{L}{1,5}|necessit\\p{L}{1,5}|procur\\p{L}{1,6}|busc\\p{L}{1,6}|se aplica|encaixa|relevante|faz sentido|e (?:para|o que)|prioridade|ha necessidade|temos necessidade|temos demanda)',
      ],
      [
        'has-a-solution',
        '(?:ja|atualmente)(?: \\p{L}{1,12}){0,3} (?:temos|tenho|contamos|conto|trabalhamos|trabalho|usamos|utilizamos|dispomos|fornecedor|solucao|parceiro)|(?:satisfeit|content|feli[zc])\\p{L}{1,3} com (?:nosso|o nosso|a nossa|o que|o|a)',
      ],
      [
        'no-budget',
        '(?:nao|sem)(?: \\p{L}{1,12}){0,3} (?:orcamento|verba|recursos|dinheiro)|(?:muito|demasiado) caro|caro demais',
      ],
      [
        'decided-against',
        'decidi(?:mos|do)(?: \\p{L}{1,12}){0,3} (?:nao|outro|outra)|nao (?:vamos|vou|iremos|pretendemos)(?: \\p{L}{1,10}){0,2} (?:avancar|continuar|seguir|contratar|comprar|prosseguir)',
      ],
      ['hostile', '(?:isto|isso) e spam|perda de tempo|deixe[- ]me em paz|me deixe em paz|golpe'],
    ],
    referral: [
      [
        'names-another',
        '(?:contact|contat|fal|escrev|dirij|entr)\\p{L}{1,6}(?: \\p{L}{1,10}){0,4} (?:com|a|ao|para) (?:o |a )?(?:meu|minha|nosso|nossa|sr|sra|colega|departamento|\\S{1,40}@)|(?:a )?pessoa (?:certa|indicada|adequada|responsavel|correta)(?: \\p{L}{1,8}){0,3} e(?!\\p{L})|(?:encaminh|reencaminh|repass|pass)(?:ei|o|arei|amos)(?: \\p{L}{1,10}){0,5} (?:para|ao|a)',
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        'nao (?:sou|somos|e)(?: \\p{L}{1,10}){0,3} (?:pessoa|responsavel|indicad|contacto|contato|area|departamento)\\p{L}{0,2}|(?:pessoa|contato|contacto|endereco|departamento) errad[oa]|nao (?:cuido|trato|sou eu)',
      ],
      [
        'left-the-company',
        '(?:ja )?nao (?:trabalh|estou na empresa|faco parte)\\p{L}{0,4}(?: mais)?|(?:sai|deixei) (?:da|a) empresa|aposentad|reformad[oa]',
      ],
    ],
    later: [
      [
        'not-now',
        '(?:por agora|de momento|no momento|neste momento|atualmente|por enquanto|agora|ainda) nao|nao (?:por agora|de momento|no momento|neste momento|agora|ainda|e (?:o|um) (?:bom )?momento|este ano)|mau momento|mais (?:tarde|para a frente|adiante)',
      ],
      [
        'another-time',
        '(?:contact|contat|escrev|lig|fal|retom|volt|procur)\\p{L}{1,7}[^.!?]{0,30}(?:proximo|mes|meses|ano|trimestre|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|mais tarde|depois|verao|semanas)',
      ],
    ],
    interest: [
      [
        'interested',
        '(?:estou|estamos|estaria|estariamos|muito|sim)(?: \\p{L}{1,10}){0,2} interessad\\p{L}{1,2}|(?:me|nos) interess(?:a|aria)|interessa[- ](?:me|nos)|(?:tenho|temos|teria|teriamos)(?: \\p{L}{1,8}){0,2} interesse|gostaria(?:mos)? de (?:saber|conhecer|falar|conversar|agendar|marcar|ver|receber)',
      ],
      [
        'sounds-good',
        '(?:parece|soa)(?:[- ]me)?(?: \\p{L}{1,10}){0,2} (?:bem|bom|boa|interessante|otimo|otima|perfeito|excelente|boa ideia)|boa ideia',
      ],
      [
        'agrees-to-talk',
        '(?:vamos|podemos|poderiamos|posso|poderia|quero|queria|queremos)(?: \\p{L}{1,8}){0,2} (?:falar|conversar|reunir|agendar|marcar|combinar|ver|saber|conhecer|bater um papo|ter uma)|(?:agend|marc|combin)\\p{L}{1,5} uma (?:chamada|reuniao|call|conversa|demo|ligacao)|com (?:todo o )?(?:prazer|gosto)',
      ],
      [
        'proposes-time',
        `(?:disponivel|livre|posso|podemos|poderia|que tal|pode ser|tenho disponibilidade)(?: [\\p{L}\\d:]{1,10}){0,4} (?:${DAY}|${TIME})|(?:${DAY}|${TIME})(?: [\\p{L}\\d:]{1,10}){0,5} (?:pode ser|funciona|esta (?:bom|otimo)|seria|posso|da para|serve)|(?:quando|qual (?:o )?(?:dia|horario))(?: \\p{L}{1,8}){0,2} (?:pode|poderia|tem|disponib)`,
      ],
      [
        'asks-for-material',
        `(?:envi|mand|compartilh|partilh|encaminh|pass|remet)\\p{L}{0,5}(?:[- ](?:me|nos))?(?: \\p{L}{1,12}){0,6} (?:${MATERIAL})|mais (?:info|informac(?:ao|oes)|detalhes|dados)|(?:saber|conhecer) mais|conte[- ]me mais|me conte mais`,
      ],
      [
        'telephone',
        '(?:lig|contact|contat|cham)\\p{L}{1,5}(?:[- ]me)?(?: \\p{L}{1,8}){0,3} (?:para|pelo|no)(?: o)?(?: numero)? ?\\+?\\d|meu (?:numero|telefone|celular|telemovel|whatsapp)|(?:me ligue|ligue[- ]me)',
      ],
      [
        'looks-forward',
        'sim,? (?:por favor|claro|gostaria|tenho|estou|podemos|pode|obrigad[oa]|com (?:prazer|certeza))|claro que sim|com certeza|fico (?:no aguardo|a espera|a aguardar)',
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        '^(?:ola[^.!,]{0,20}[,.!] ?)?(?:sim|ok|claro|perfeito|combinado|otimo|pode ser|de acordo)(?: obrigad[oa]| por favor)?[.! ]*$',
      ],
      ['mentions-interest', '(?<!\\p{L})interessante(?!\\p{L})'],
    ],
    question: [
      [
        'asks-who',
        'quem (?:e|sao) |(?:como|onde|de onde)(?: \\p{L}{1,8}){0,2} (?:obtev|conseguiu|conseguiram|tem o meu|arranj)\\p{L}{0,5}|do que se trata',
      ],
      [
        'asks-price',
        'quanto (?:custa|custam|fica|seria|e)|(?:qual|quais)(?: \\p{L}{1,6}){0,2} (?:preco|custo|valor|tarifa)\\p{L}?',
      ],
      [
        'asks-about',
        '(?:como|que|quem|onde|quando|por que|porque|qual|quais|pode\\p{L}?|poderia\\p{L}?|tem|oferece\\p{L}?|ha)(?: \\S{1,20}){1,25} ?\\?',
      ],
    ],
    thanks: [
      [
        'thanks-only',
        '^(?:ola[^.!,]{0,20}[,.!] ?)?(?:muito )?(?:obrigad[oa]|recebido|anotado|agradec\\p{L}{1,4})(?: \\p{L}{1,12}){0,6}[.! ]*$',
      ],
    ],
  },
};
