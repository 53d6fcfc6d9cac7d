import { type LabelRules } from './label.rules';

const DAY = 'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|(?:la )?semaine prochaine|cette semaine';
const TIME = "\\d{1,2} ?h(?: ?\\d\\d)?(?!\\p{L})|\\d{1,2}:\\d\\d|dans la matinee|l'apres-midi";
const MATERIAL =
  "info|informations|documentation|details|brochure|proposition|tarifs?|prix|devis|lien|presentation|plaquette|catalogue|exemples?|invitation|offre|demo|elements|plus d'";

export const FRENCH: LabelRules = {
  language: 'fr',
  negation: "pas|plus|aucun|aucune|jamais|sans|ni|ne|n'",
  phrases: {
    shield: [
      [
        'no-objection',
        "pas de (?:probleme|souci)|pourquoi pas|n'hesitez pas|pas contre|non seulement|avec plaisir(?= de ne)|pas inintere",
      ],
      ['if-interested', "(?:si|au cas ou|lorsque|quand)(?: [\\p{L}']{1,14}){0,5} (?:interess|besoin)[^.!?]{0,40}"],
      ['asks-interest', '(?:etes|seriez)[- ]vous(?: \\p{L}{1,12}){0,3} interess[^.!?]{0,30}|vous interesse'],
    ],
    'opt-out': [
      [
        'off-the-list',
        "(?:retir|supprim|enlev|desinscri|desabonn|ray)\\p{L}{1,5}(?:[- ](?:moi|nous|mon|ma|mes|notre|nos|cette))(?:[^.!?]{0,50}(?:liste|fichier|base|mailing|contacts|envois|diffusion|adresse|mail|newsletter))?|me (?:retirer|supprimer|desinscrire|desabonner|enlever|rayer)|(?:de|hors de) (?:votre|vos|cette) (?:liste|fichier|base|mailing)\\p{L}?|^(?:merci de (?:me |nous )?)?(?:desinscription|desinscrire|desabonnement|desabonner|se desabonner|stop)[.!]*$|(?:je|nous) (?:souhait|voudr|veux|voul|demand|desir)\\p{L}{1,5}(?: [\\p{L}']{1,12}){0,4} (?:desinscri|desabonn|retir)\\p{L}{1,5}|desinscription|desabonnement",
      ],
      [
        'stop-writing',
        "(?:ne|n') ?(?:plus|pas|jamais)?(?: (?:me|nous|m'))?(?: ?\\p{L}{1,12}){0,2} ?(?:plus|pas|jamais)?(?: (?:me|nous))? (?:contact|ecri|envoy|sollicit|recevoir|relanc|derang|harcel)\\p{L}{0,5}(?: plus| pas)?|(?:arret|cess)\\p{L}{1,4} (?:de (?:me|nous|m')|vos|ces|d'envoyer|les)|plus (?:aucun|de|recevoir de|recevoir d'autres) (?:vos )?(?:mails?|e-?mails?|messages?|courriels?|sollicitations?|pub|relances?)|plus (?:etre|souhait\\p{L}{1,4} (?:etre|recevoir)) ?(?:contact|sollicit|demarch|de)?",
      ],
      [
        'data-erasure',
        "(?:supprim|effac)\\p{L}{1,5}(?: [\\p{L}']{1,14}){0,4} (?:donnees|coordonnees|informations)|rgpd|cnil|droit (?:a l'oubli|d'opposition|a l'effacement)",
      ],
    ],
    refusal: [
      [
        'not-interested',
        "(?:pas|plus|aucunement|nullement|aucun|peu|ne|n')(?: [\\p{L}']{1,14}){0,4} (?:interess\\p{L}{0,4}|interet)(?!\\p{L})|aucun interet|sans interet",
      ],
      [
        'declines',
        "(?<!\\p{L})non,? (?:merci|je|nous|pas|desole)|^(?:bonjour[^.!,]{0,20}[,.!] ?)?non[.! ]*$|merci,? mais (?:non|nous|je|cela|ce)|(?:declin|refus)\\p{L}{1,5} (?:votre|cette|la|l'offre|poliment)|(?:ne|n')(?: [\\p{L}']{1,12}){0,3} pas(?: [\\p{L}']{1,12}){0,3} donner suite|pas donner (?:une )?suite",
      ],
      [
        'no-need',
        "(?:pas|plus|aucun|ni)(?: [\\p{L}']{1,12}){0,3} besoin|pas (?:a la recherche|concern|utile|pertinent|d'actualite|adapte|notre priorite|une priorite)|ne (?:correspond|convient|cherch|recherch)\\p{L}{0,5} pas|(?:cherchons|recherchons|cherche|recherche) pas",
      ],
      [
        'has-a-solution',
        "(?:deja|actuellement)(?: [\\p{L}']{1,14}){0,6} (?:prestataire|fournisseur|solution|partenaire|outil|equipe[se]?|agence|engage|accompagne|interne|satisfait)\\p{L}{0,3}|(?:satisfait|content)\\p{L}{0,3} (?:de|par) notre|geron\\p{L}{0,2}(?: [\\p{L}']{1,12}){0,2} en interne",
      ],
      ['no-budget', '(?:pas|aucun|plus)(?: de| le)? (?:budget|moyens|temps|ressources)|trop cher'],
      [
        'decided-against',
        "(?:decide|choisi)(?: [\\p{L}']{1,12}){0,3} (?:ne pas|un autre|autre)|(?:ne|n')(?: [\\p{L}']{1,12}){0,3} pas (?:suite|poursuivre|aller plus loin)",
      ],
      [
        'hostile',
        "laissez[- ](?:moi|nous) tranquille|c'est du (?:spam|harcelement)|foutez|perte de temps|harcelement|signale\\p{L}{0,3}(?: [\\p{L}']{1,12}){0,3} spam",
      ],
    ],
    referral: [
      [
        'names-another',
        "(?:contact|adress|voir|rapproch|sollicit|ecri|joind|tourn)\\p{L}{1,5}(?:[- ]vous)?(?: [\\p{L}']{1,12}){0,3} (?:a |avec |mon |ma |notre |nos |m\\. |mme |monsieur |madame |de |directement |vers |\\S{1,40}@)|(?:je|j'ai|nous) ?(?:l'ai |ai |avons |le |la )?(?:transf|transm|communiqu)\\p{L}{1,7}|la (?:bonne )?personne (?:en charge|a contacter|concernee)? ?est",
      ],
    ],
    'wrong-person': [
      [
        'wrong-person',
        "(?:pas|plus)(?: [\\p{L}']{1,10}){0,2} (?:bon(?:ne)? (?:personne|interlocut\\p{L}{1,5}|contact)|interlocut\\p{L}{1,5}|en charge|responsable|decisionnaire|mon (?:domaine|ressort))|mauvais(?:e)? (?:personne|interlocuteur|contact|adresse|service)",
      ],
      [
        'left-the-company',
        "(?:ne|n')(?: [\\p{L}']{1,10}){0,2} (?:travaille|fais|fait|suis) plus|quitte (?:la societe|l'entreprise|mes fonctions)|(?:parti\\p{L}? )?(?:a la|en) retraite",
      ],
    ],
    later: [
      [
        'not-now',
        "pas (?:pour (?:le moment|l'instant)|en ce moment|maintenant|tout de suite|actuellement|cette annee|le (?:bon )?moment|encore)|(?:trop tot|plus tard)(?!\\p{L})|mauvais (?:moment|timing)",
      ],
      [
        'another-time',
        "(?:recontact|relanc|revene|reveni|rappel|reparl|repren)\\p{L}{1,5}[^.!?]{0,40}(?:mois|annee|trimestre|rentree|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|plus tard|printemps|ete|automne|vacances|semaines)|(?:je|nous) reviend\\p{L}{2,4} vers vous|garde\\p{L}{0,3}(?: [\\p{L}']{1,12}){0,4} (?:sous le coude|en tete|contact)",
      ],
    ],
    interest: [
      [
        'interested',
        "(?:suis|serais|sommes|serions|tres|effectivement|vraiment)(?: \\p{L}{1,12}){0,2} interess\\p{L}{1,4}|(?:cela|ca|ceci|votre (?:offre|proposition|solution|produit))(?: \\p{L}{1,10}){0,2} (?:m'|nous |m' )interess\\p{L}{1,4}|(?:m'|nous )interess(?:e|erait|ent)(?!\\p{L})|curieu(?:x|se) d'en savoir",
      ],
      [
        'sounds-good',
        "(?:semble|parait|a l'air)(?: \\p{L}{1,12}){0,2} (?:interessant|bien|bon|parfait|pertinent|super|prometteur)|(?:c'est|ca me|cela me) (?:tres |va |parait |semble )*(?:interessant|parfait|bonne idee|bien|convient)|(?:me|nous) conv(?:ient|iendrait)",
      ],
      [
        'agrees-to-talk',
        "(?:avec (?:grand )?plaisir|volontiers)(?:[.,! ]|$)|(?:discut|parl|echang|rencontr|appel|organis|planifi|fix|conven|cal)\\p{L}{1,5}[- ](?:nous|en|ensemble|un (?:rendez-vous|rdv|appel|point|echange|call|creneau)|une (?:demo|visio|reunion))|(?:pouvons|pourrions|peut|pourrait|souhait\\p{L}{1,4}|aimer\\p{L}{2,4}|voudr\\p{L}{2,4}|ravie?s? (?:de|d'))[- ]?(?:nous |on |en |d'en |j' )?(?:discuter|parler|echanger|rencontrer|appeler|organiser|planifier|fixer|convenir|voir|savoir|decouvrir)|en savoir (?:plus|davantage)|(?:ok|d'accord|partant\\p{L}?) pour (?:un|une|en|echanger|discuter)",
      ],
      [
        'proposes-time',
        `(?:disponible|libre|dispo)(?: [\\p{L}']{1,12}){0,4} (?:${DAY}|${TIME})|(?:${DAY}|${TIME})(?: [\\p{L}\\d':]{1,12}){0,4} (?:me convient|nous convient|convient|possible|ca vous|cela vous|vous conv\\p{L}{1,6}|c'est bon|serait)|(?:quelles? sont vos|vos) (?:disponibilites|dispo)|(?:que diriez-vous|plutot|pourquoi pas|on dit) (?:de |le )?(?:${DAY})`,
      ],
      [
        'asks-for-material',
        `(?:envoy|transm|partag|faire parvenir|adress|communiqu)\\p{L}{0,5}(?:[- ](?:moi|nous))?(?: [\\p{L}']{1,14}){0,6} ?(?:${MATERIAL})|(?:plus|davantage) (?:d'|de )?(?:info|informations|details|precisions|renseignements)`,
      ],
      [
        'telephone',
        "(?:appel|rappel|joindre|joign)\\p{L}{0,5}[- ]?(?:moi|me|nous)?(?: [\\p{L}']{1,12}){0,4} (?:au|sur)(?: le)? ?\\+?\\d|(?:rappelez|appelez|contactez)[- ](?:moi|nous)(?= (?:au|sur|demain|lundi|mardi|mercredi|jeudi|vendredi))|mon (?:numero|portable|tel)",
      ],
      [
        'looks-forward',
        "oui,? (?:je|nous|avec|volontiers|merci|cela|ca|c'est|tout a fait|bien sur|s'il)|au plaisir d'(?:en|echanger)",
      ],
    ],
    'weak-interest': [
      [
        'agrees',
        "^(?:bonjour[^.!,]{0,20}[,.!] ?)?(?:oui|ok|d'accord|parfait|tres bien|entendu|bien sur|avec plaisir|ca marche|volontiers)(?: merci)?[.! ]*$",
      ],
      ['mentions-interest', '(?<!\\p{L})interessante?s?(?!\\p{L})'],
    ],
    question: [
      ['asks-who', "qui etes[- ]vous|comment avez[- ]vous (?:eu|obtenu|trouve)|d'ou (?:tenez|avez)|de quoi s'agit"],
      [
        'asks-price',
        "combien(?: [\\p{L}']{1,12}){0,4} (?:coute|coutent|ca)|quel(?:s)? (?:est|sont)(?: [\\p{L}']{1,10}){0,2} (?:prix|tarif|cout)",
      ],
      [
        'asks-about',
        "(?:comment|quel\\p{L}{0,3}|qui|ou|quand|pourquoi|est-ce|avez|pouvez|pourriez|proposez|combien|y a-t)[- ']\\S{1,20}(?: \\S{1,20}){0,25} ?\\?",
      ],
    ],
    thanks: [
      [
        'thanks-only',
        "^(?:bonjour[^.!,]{0,20}[,.!] ?)?(?:merci|bien recu|c'est note|je vous remercie)(?: [\\p{L}']{1,14}){0,6}[.! ]*$",
      ],
    ],
  },
};
