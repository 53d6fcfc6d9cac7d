import { type Topic } from '../vocabulary';

export const daily: readonly Topic[] = [
  {
    name: 'meeting-moved',
    subjects: [
      'Notre [réunion|rendez-vous|point] de la semaine prochaine',
      '[Nouvelle date|Autre créneau] pour notre [réunion|point]',
      '[Report de notre réunion|Notre point] {project}',
    ],
    opening: [
      [
        'Un imprévu m’oblige à [déplacer|reporter] notre [réunion|point] sur le projet {project}.',
        'Je dois malheureusement [déplacer|décaler] notre [rendez-vous|réunion] au sujet de {project}, [toutes mes excuses|veuillez m’excuser].',
        'Mon agenda a [changé|été bouleversé], et notre [réunion|point] sur {project} ne tient plus au moment prévu.',
      ],
      [
        'Seriez-vous disponible {day} de la semaine prochaine à {time} ?',
        'Pourrions-nous [nous voir|en parler] {day} de la semaine prochaine à {time} ?',
        'Que diriez-vous de {day} de la semaine prochaine, [vers|à] {time} ?',
      ],
      [
        'Si cela ne vous [convient|va] pas, proposez-moi [simplement |][un autre moment|deux autres créneaux].',
        'Il nous faut [environ|tout au plus] [une demi-heure|quarante minutes], et les [sujets|points] restent les mêmes.',
        'Je [modifierai|mettrai à jour] l’invitation dès que j’aurai votre réponse.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Aucun souci|Pas de problème], {day} à {time} me convient [bien|très bien|parfaitement].',
            '{day} à {time}, c’est [parfait|très bien] pour moi[, merci pour votre message|].',
          ],
          [
            'J’ai [déjà noté le créneau|bloqué le créneau] et j’apporterai les [derniers chiffres|points ouverts|notes de la dernière fois].',
            'Envoyez-moi [simplement |]la nouvelle invitation, je [prépare|relis] les points ouverts d’ici là.',
          ],
        ],
        closing: [
          [
            '[Parfait|Très bien], merci pour votre souplesse. Je viens de modifier l’invitation, rendez-vous donc {day} à {time}.',
            'Merci, cela m’aide [beaucoup|vraiment]. La nouvelle invitation est [partie|en route], et je me réjouis de vous voir {day}.',
          ],
        ],
      },
      {
        reply: [
          [
            '{day}, c’est [un peu compliqué|difficile] pour moi, j’ai [des rendez-vous|un atelier] [toute la journée|presque toute la journée].',
            'Ce serait avec plaisir, mais {day} je suis en [déplacement|formation] jusqu’au soir.',
          ],
          [
            'Serait-il possible de nous voir [une semaine plus tard|la semaine suivante] [à la même heure|vers la même heure] ?',
            'Pourrions-nous décaler [d’une semaine|à la semaine suivante] ? Mon agenda sera [plus souple|bien plus calme].',
          ],
        ],
        closing: [
          [
            '[Bien sûr|Entendu], la semaine suivante me convient [tout aussi bien|également]. Je vous envoie [tout de suite|dans un instant] une nouvelle invitation.',
            'Aucun souci, faisons cela une semaine plus tard. Vous recevrez la nouvelle invitation [aujourd’hui|dans quelques minutes].',
          ],
        ],
      },
    ],
  },
  {
    name: 'invoice-question',
    subjects: [
      '[Question|Petite question] sur votre facture',
      'Facture [du projet|pour] {project}',
      'Un détail sur la facture {project}',
    ],
    opening: [
      [
        'Je [relis|classe] les documents du projet {project} et j’ai une petite question sur votre dernière facture.',
        'Notre comptabilité m’a posé une question sur votre dernière facture pour {project}.',
        'En classant les documents de {project}, j’ai [remarqué|vu] un [petit |]détail sur la dernière facture.',
      ],
      [
        'Il semble manquer [le numéro de commande|la référence du projet], et sans cela le document [part dans le mauvais dossier|ne peut pas être classé].',
        'Elle porte [encore|toujours] notre ancienne adresse, alors que nous avons déménagé [au printemps|il y a quelque temps].',
        'Une ligne indique seulement « prestations », et il nous faudrait une [courte |]description.',
      ],
      [
        'Pourriez-vous m’envoyer une version corrigée avant {day} ?',
        'Pourriez-vous [vérifier|regarder] cela quand vous aurez un moment ?',
        'Pourriez-vous [regarder|vérifier], ou me dire [à qui m’adresser|qui s’en occupe] ?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Merci de [me le signaler|votre remarque], vous avez [tout à fait |]raison.',
            'Toutes mes excuses, cela s’est perdu [au changement|lors du changement] de modèle.',
          ],
          [
            'J’ai corrigé le document et je vous envoie la nouvelle version [aujourd’hui|d’ici demain|cet après-midi].',
            'La version corrigée vous parviendra [demain matin|avant ce soir].',
          ],
        ],
        closing: [
          [
            '[Parfait|Formidable], merci pour votre aide rapide. Dès que la nouvelle version est là, je la transmets à la comptabilité.',
            'Merci beaucoup pour cette aide si rapide. Je préviens la comptabilité que la nouvelle version [arrive|est en route].',
          ],
        ],
      },
      {
        reply: [
          [
            'Je ne [sais pas très bien|peux pas le dire avec certitude], j’ai donc posé la question à notre secrétariat.',
            'C’est notre secrétariat qui s’en occupe, je lui ai [transmis|fait suivre] votre message.',
          ],
          [
            'Vous aurez une réponse [avant {day}|dans la semaine] avec les bonnes indications.',
            'L’équipe vous écrira directement [avant {day}|d’ici un ou deux jours].',
          ],
        ],
        closing: [
          [
            'Merci d’avoir transmis, rien ne presse [de notre côté|]. J’attends donc [tranquillement |]le message de votre secrétariat.',
            'Très bien, il ne m’en faut pas plus. Je mets le document de côté jusqu’à la réponse de votre secrétariat.',
          ],
        ],
      },
    ],
  },
  {
    name: 'lunch',
    subjects: [
      'Déjeuner {day} ?',
      '[Un déjeuner|Déjeuner ensemble] la semaine prochaine ?',
      'Le temps d’un déjeuner ?',
      'Pause déjeuner à {city}',
    ],
    opening: [
      [
        'Cela fait [longtemps|trop longtemps] que nous n’avons pas [déjeuné ensemble|pris le temps de déjeuner].',
        'Je serai près de [chez vous|vos bureaux] {day} prochain et j’ai pensé à vous.',
        'Un [petit |]restaurant vient d’ouvrir [près de la gare|au coin de la rue], et j’aimerais l’essayer.',
      ],
      [
        'Auriez-vous [envie|le temps] de déjeuner {day} de la semaine prochaine ?',
        'Avez-vous déjà quelque chose de prévu à midi, {day} de la semaine prochaine ?',
        'Que diriez-vous d’un déjeuner {day} de la semaine prochaine, vers [midi|midi et demi] ?',
      ],
      [
        'Nous pourrions parler de {project}, ou simplement [bavarder|prendre des nouvelles].',
        'J’aimerais aussi savoir [comment avance|où en est] le projet {project}.',
        'Je [réserve|réserverai] volontiers une table, dites-moi seulement ce que vous aimez.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Quelle bonne idée|Avec grand plaisir], {day} me convient [très bien|parfaitement].',
            '[Volontiers|Avec plaisir], je n’ai encore rien de prévu {day} à midi.',
          ],
          [
            'Voulez-vous que nous nous retrouvions à [midi et demi|midi] devant vos bureaux ?',
            'Je mange [de tout|presque de tout], choisissez donc l’endroit qui vous plaît.',
          ],
        ],
        closing: [
          [
            '[Parfait|Très bien], je réserve une table [et je vous envoie l’adresse|pour nous deux]. À {day}, je m’en réjouis [déjà |]beaucoup.',
            'Très bien, je m’occupe de la table. Je passerai vous prendre {day} [à l’accueil|à l’entrée].',
          ],
        ],
      },
      {
        reply: [
          [
            'Merci [d’avoir pensé à moi|pour l’invitation], mais {day} je suis [en réunion toute la journée|en déplacement|chez un client].',
            'Ce serait avec plaisir, mais {day} [est déjà pris|ma journée est déjà bien remplie].',
          ],
          [
            'Pourrions-nous le faire la semaine suivante ? Mon agenda sera [bien plus calme|plus souple].',
            'Que diriez-vous d’un [café|déjeuner] la semaine suivante ? [Presque tous les jours|Tous les jours] me conviennent.',
          ],
        ],
        closing: [
          [
            'Aucun souci, disons donc la semaine suivante. Je vous proposerai deux ou trois dates [en début de semaine|à temps].',
            '[Bien sûr|Volontiers], la semaine suivante me va [aussi bien|très bien]. Je reviens vers vous dès que je connais mon planning.',
          ],
        ],
      },
    ],
  },
  {
    name: 'travel',
    subjects: [
      '[Déplacement|Voyage|Notre déplacement] à {city}',
      '{city} [la semaine prochaine|{day} prochain]',
      '[Trajet|Organisation] pour {city}',
    ],
    opening: [
      [
        'Je prépare [le|notre] déplacement à {city} de la semaine prochaine.',
        'Nous sommes attendus à {city} {day} de la semaine prochaine, et j’aimerais organiser le trajet.',
        'La [visite|réunion] à {city}, {day} de la semaine prochaine, est maintenant [fixée|confirmée].',
      ],
      [
        'Je prendrais le train [le matin|vers huit heures], ce qui nous permet d’arriver [tranquillement|à temps].',
        'En train, il faut [à peu près|environ] deux heures, et nous pourrions [préparer la réunion|revoir nos notes] en chemin.',
        'Je pensais partir la veille au soir, pour [éviter le stress du matin|commencer la journée au calme].',
      ],
      [
        'Voulez-vous que je réserve [aussi |]une place pour vous ?',
        'Souhaitez-vous que nous voyagions ensemble, ou venez-vous [de votre côté|d’ailleurs] ?',
        'Cela vous convient-il, ou préférez-vous [prendre la voiture|venir en voiture] ?',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Oui, avec plaisir|Volontiers], voyageons ensemble.',
            '[Bonne idée|Très bon plan], je [viens avec vous|me joins à vous].',
          ],
          [
            'Une place [côté fenêtre|autour d’une table] serait [idéale|parfaite], nous pourrons relire les diapositives de {project} en route.',
            'J’apporterai les documents de {project}, ainsi nous pourrons les [relire|parcourir] pendant le trajet.',
          ],
        ],
        closing: [
          [
            '[Parfait|Très bien], j’ai réservé deux places côte à côte. Je vous envoie les [horaires|détails] [ce soir|un peu plus tard].',
            'Très bien, je prends les places pour nous deux. Retrouvons-nous [sur le quai|devant l’entrée] dix minutes avant le départ.',
          ],
        ],
      },
      {
        reply: [
          [
            'Merci de [proposer|penser à moi], mais je viendrai en voiture [cette fois|].',
            'C’est très [gentil|aimable], mais je serai déjà [sur place|dans la région] la veille.',
          ],
          [
            'Voulez-vous que nous nous retrouvions [une demi-heure|vingt minutes] avant [dans le hall|à l’entrée] pour revoir les points principaux ?',
            'Nous pourrions prendre un café avant la réunion et [relire|revoir] notre partie.',
          ],
        ],
        closing: [
          [
            '[Volontiers|Bonne idée], retrouvons-nous sur place une demi-heure avant. J’apporterai un [court |]ordre du jour pour nous deux.',
            'Cela me convient [bien|très bien]. J’arriverai un peu en avance et je nous trouverai un coin tranquille.',
          ],
        ],
      },
    ],
  },
  {
    name: 'weekend-event',
    subjects: ['[Samedi prochain|Une sortie samedi] à {city}', 'Samedi à {city}', 'Venez-vous à {city} samedi ?'],
    opening: [
      [
        'Il y a [un petit salon|une journée portes ouvertes|une conférence] à {city} samedi prochain, cela pourrait vous intéresser.',
        'Nous sommes quelques-uns à aller [au salon|à la journée portes ouvertes] de {city} samedi prochain.',
        'Avez-vous entendu parler [du salon|de la conférence] à {city} samedi prochain ?',
      ],
      [
        'Le matin, il y a [de bonnes|quelques] interventions, et l’une d’elles touche [de près |]au projet {project}.',
        'Le programme est [varié|intéressant], et [plusieurs|beaucoup de] personnes de notre métier y seront.',
        'L’an dernier, l’ambiance était très [agréable|détendue], et j’y ai fait de [belles|bonnes] rencontres.',
      ],
      [
        'Voulez-vous [venir avec nous|nous accompagner] ? Nous partons vers [neuf heures|huit heures et demie].',
        'Cela vous tente ? Il reste une place dans la voiture.',
        'Voulez-vous que je vous inscrive ? Les familles sont les bienvenues.',
      ],
    ],
    answers: [
      {
        reply: [
          [
            'Cela s’annonce [très bien|comme une belle journée], [comptez sur moi|je viens volontiers].',
            '[Quelle coïncidence|Cela tombe bien], je pensais justement y aller.',
          ],
          [
            'Je viendrai de mon côté et vous retrouverai à l’entrée [vers|à] dix heures.',
            'S’il reste [encore |]une place dans la voiture, je la prends [volontiers|avec plaisir].',
          ],
        ],
        closing: [
          [
            '[Parfait|Très bien], nous serons donc [quatre|cinq]. J’enverrai à tout le monde un petit message vendredi avec [les horaires|le lieu de rendez-vous].',
            'Très bien, c’est noté. Ce sera une belle journée, et nous trouverons [sûrement |]le temps d’un café.',
          ],
        ],
      },
      {
        reply: [
          [
            'L’idée me plaît, mais nous avons [de la famille à la maison|déjà quelque chose de prévu] samedi.',
            'Samedi, je ne peux malheureusement pas, [ma sœur déménage|nous fêtons un anniversaire].',
          ],
          [
            'Pourriez-vous me rapporter [le programme|un peu de documentation], ou me raconter [lundi|après] ce qui était intéressant ?',
            'Racontez-moi [tout |]la semaine prochaine, cela m’intéresse [beaucoup|vraiment].',
          ],
        ],
        closing: [
          [
            '[Dommage|Quel dommage], mais je comprends [très bien|tout à fait]. Je prendrai des notes et je vous raconterai [lundi|la semaine prochaine].',
            'Aucun souci, ce sera peut-être pour l’an prochain. Je vous rapporterai ce qui me semble [utile|intéressant].',
          ],
        ],
      },
    ],
  },
  {
    name: 'thank-you',
    subjects: [
      'Merci [encore|encore une fois|à vous]',
      '[Un grand|Un petit] merci',
      'Merci, [c’était très utile|cela nous a aidés]',
    ],
    opening: [
      [
        'Je voulais simplement vous remercier pour votre [aide|soutien] sur {project}.',
        'Merci encore pour [votre temps|ce bon échange|la visite] à {city}.',
        'C’était un échange [très agréable|vraiment utile] au sujet de {project}, merci à vous.',
      ],
      [
        'Vos [idées|remarques] nous ont déjà [bien |]aidés, et la [première|prochaine] version est presque prête.',
        'L’équipe a beaucoup apprécié vos [suggestions|conseils], et nous les essayons [cette semaine|en ce moment].',
        'J’ai partagé vos [notes|réflexions] avec mes collègues, et chacun les a trouvées [utiles|très justes].',
      ],
      [
        'Si je peux un jour vous rendre la pareille, [dites-le-moi|faites-moi signe].',
        'Restons en contact, peut-être autour d’un [appel|café] [le mois prochain|dans quelques semaines].',
        'Je vous [dirai|raconterai] [comment cela avance|ce que cela donne].',
      ],
    ],
    answers: [
      {
        reply: [
          [
            '[Je vous en prie|Avec plaisir], c’était [agréable|un plaisir] de travailler avec vous tous.',
            'Merci pour [ces mots aimables|votre message], j’ai aidé avec plaisir.',
          ],
          [
            'J’ai hâte de voir le résultat, n’hésitez pas à [me l’envoyer|me tenir au courant].',
            'Cela m’a plu aussi, [dites-moi|racontez-moi] donc comment cela avance.',
          ],
        ],
        closing: [
          [
            'Je le ferai [volontiers|sans faute]. Vous recevrez la [première|prochaine] version dès qu’elle sera présentable, et votre avis [sincère |]est toujours bienvenu.',
            'Cela me fait plaisir. Cherchons une date pour un [café|court appel] dans [deux ou trois|quelques] semaines.',
          ],
        ],
      },
      {
        reply: [
          [
            'Merci pour votre message, [cela fait plaisir|c’est très aimable].',
            'C’est [gentil|aimable] de [l’écrire|me le dire], je le transmettrai à l’équipe.',
          ],
          [
            'J’ai oublié de vous dire une chose : [commencez petit|restez simples] et demandez [tôt|vite] quelques avis. Je peux vous [envoyer|chercher] nos notes à ce sujet.',
            'Si vous le souhaitez, je peux [chercher|vous envoyer] [notre liste|les notes] [d’un projet semblable|de l’an dernier].',
          ],
        ],
        closing: [
          [
            'Merci, cela nous aidera [beaucoup|bien]. J’en parlerai à la prochaine réunion et je vous dirai ce que les autres en pensent.',
            'Oui, ce serait [très utile|d’une grande aide], merci. Rien ne presse, la semaine prochaine [suffit|ira très bien].',
          ],
        ],
      },
    ],
  },
];
