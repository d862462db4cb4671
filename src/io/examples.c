/* examples.c - see examples.h. */
#include "io/examples.h"

#include <string.h>

#define UNDIRECTED "# Undirected graph, each edge once\n"

/* W. W. Zachary: An information flow model for conflict and fission in small groups, 1977. */
static const char karate[] = UNDIRECTED
    "1 2\n1 3\n1 4\n1 5\n1 6\n1 7\n1 8\n1 9\n1 11\n1 12\n1 13\n1 14\n1 18\n1 20\n1 22\n1 32\n2 3\n2 4\n2 8\n"
    "2 14\n2 18\n2 20\n2 22\n2 31\n3 4\n3 8\n3 9\n3 10\n3 14\n3 28\n3 29\n3 33\n4 8\n4 13\n4 14\n5 7\n5 11\n6 7\n"
    "6 11\n6 17\n7 17\n9 31\n9 33\n9 34\n10 34\n14 34\n15 33\n15 34\n16 33\n16 34\n19 33\n19 34\n20 34\n21 33\n"
    "21 34\n23 33\n23 34\n24 26\n24 28\n24 30\n24 33\n24 34\n25 26\n25 28\n25 32\n26 32\n27 30\n27 34\n28 34\n"
    "29 32\n29 34\n30 33\n30 34\n31 33\n31 34\n32 33\n32 34\n33 34\n";

/* How many chapters of Les Miserables two characters appear in together: D. E. Knuth, The Stanford GraphBase, 1993. */
static const char lesmis[] = UNDIRECTED
    "Napoleon,Myriel,1\nMyriel,MlleBaptistine,8\nMyriel,MmeMagloire,10\nMyriel,CountessDeLo,1\n"
    "Myriel,Geborand,1\nMyriel,Champtercier,1\nMyriel,Cravatte,1\nMyriel,Count,2\nMyriel,OldMan,1\n"
    "Myriel,Valjean,5\nMlleBaptistine,MmeMagloire,6\nMlleBaptistine,Valjean,3\nMmeMagloire,Valjean,3\n"
    "Valjean,Labarre,1\nValjean,Marguerite,1\nValjean,MmeDeR,1\nValjean,Isabeau,1\nValjean,Gervais,1\n"
    "Valjean,Fantine,9\nValjean,MmeThenardier,7\nValjean,Thenardier,12\nValjean,Cosette,31\nValjean,Javert,17\n"
    "Valjean,Fauchelevent,8\nValjean,Bamatabois,2\nValjean,Simplice,3\nValjean,Scaufflaire,1\nValjean,Woman1,2\n"
    "Valjean,Judge,3\nValjean,Champmathieu,3\nValjean,Brevet,2\nValjean,Chenildieu,2\nValjean,Cochepaille,2\n"
    "Valjean,Woman2,3\nValjean,MotherInnocent,1\nValjean,Gavroche,1\nValjean,Gillenormand,2\n"
    "Valjean,MlleGillenormand,2\nValjean,Marius,19\nValjean,Enjolras,4\nValjean,Bossuet,1\nValjean,Gueulemer,1\n"
    "Valjean,Babet,1\nValjean,Claquesous,1\nValjean,Montparnasse,1\nValjean,Toussaint,1\nMarguerite,Fantine,2\n"
    "Listolier,Tholomyes,4\nListolier,Fameuil,4\nListolier,Blacheville,4\nListolier,Favourite,3\n"
    "Listolier,Dahlia,3\nListolier,Zephine,3\nListolier,Fantine,3\nTholomyes,Fameuil,4\nTholomyes,Blacheville,4\n"
    "Tholomyes,Favourite,3\nTholomyes,Dahlia,3\nTholomyes,Zephine,3\nTholomyes,Fantine,3\nTholomyes,Cosette,1\n"
    "Tholomyes,Marius,1\nFameuil,Blacheville,4\nFameuil,Favourite,3\nFameuil,Dahlia,3\nFameuil,Zephine,3\n"
    "Fameuil,Fantine,3\nBlacheville,Favourite,4\nBlacheville,Dahlia,3\nBlacheville,Zephine,3\n"
    "Blacheville,Fantine,3\nFavourite,Dahlia,5\nFavourite,Zephine,4\nFavourite,Fantine,4\nDahlia,Zephine,4\n"
    "Dahlia,Fantine,4\nZephine,Fantine,4\nFantine,MmeThenardier,2\nFantine,Thenardier,1\nFantine,Javert,5\n"
    "Fantine,Bamatabois,1\nFantine,Perpetue,1\nFantine,Simplice,2\nMmeThenardier,Thenardier,13\n"
    "MmeThenardier,Cosette,4\nMmeThenardier,Javert,1\nMmeThenardier,Eponine,2\nMmeThenardier,Anzelma,1\n"
    "MmeThenardier,Magnon,1\nMmeThenardier,Gueulemer,1\nMmeThenardier,Babet,1\nMmeThenardier,Claquesous,1\n"
    "Thenardier,Cosette,1\nThenardier,Javert,5\nThenardier,Pontmercy,1\nThenardier,Boulatruelle,1\n"
    "Thenardier,Eponine,3\nThenardier,Anzelma,2\nThenardier,Gavroche,1\nThenardier,Marius,2\n"
    "Thenardier,Gueulemer,5\nThenardier,Babet,6\nThenardier,Claquesous,4\nThenardier,Montparnasse,1\n"
    "Thenardier,Brujon,3\nCosette,Javert,1\nCosette,Woman2,1\nCosette,Gillenormand,3\n"
    "Cosette,MlleGillenormand,2\nCosette,LtGillenormand,1\nCosette,Marius,21\nCosette,Toussaint,2\n"
    "Javert,Fauchelevent,1\nJavert,Bamatabois,1\nJavert,Simplice,1\nJavert,Woman1,1\nJavert,Woman2,1\n"
    "Javert,Gavroche,1\nJavert,Enjolras,6\nJavert,Gueulemer,1\nJavert,Babet,2\nJavert,Claquesous,1\n"
    "Javert,Montparnasse,1\nJavert,Toussaint,1\nFauchelevent,MotherInnocent,3\nFauchelevent,Gribier,2\n"
    "Bamatabois,Judge,2\nBamatabois,Champmathieu,2\nBamatabois,Brevet,1\nBamatabois,Chenildieu,1\n"
    "Bamatabois,Cochepaille,1\nPerpetue,Simplice,2\nJudge,Champmathieu,3\nJudge,Brevet,2\nJudge,Chenildieu,2\n"
    "Judge,Cochepaille,2\nChampmathieu,Brevet,2\nChampmathieu,Chenildieu,2\nChampmathieu,Cochepaille,2\n"
    "Brevet,Chenildieu,2\nBrevet,Cochepaille,2\nChenildieu,Cochepaille,2\nPontmercy,MmePontmercy,1\n"
    "Pontmercy,Marius,1\nEponine,Anzelma,2\nEponine,Marius,5\nEponine,Mabeuf,1\nEponine,Courfeyrac,1\n"
    "Eponine,Gueulemer,1\nEponine,Babet,1\nEponine,Claquesous,1\nEponine,Montparnasse,1\nEponine,Brujon,1\n"
    "MmeBurgon,Jondrette,1\nMmeBurgon,Gavroche,2\nGavroche,Marius,4\nGavroche,Mabeuf,1\nGavroche,Enjolras,7\n"
    "Gavroche,Combeferre,6\nGavroche,Prouvaire,1\nGavroche,Feuilly,2\nGavroche,Courfeyrac,7\nGavroche,Bahorel,5\n"
    "Gavroche,Bossuet,5\nGavroche,Joly,3\nGavroche,Grantaire,1\nGavroche,Gueulemer,1\nGavroche,Babet,1\n"
    "Gavroche,Montparnasse,1\nGavroche,Child1,2\nGavroche,Child2,2\nGavroche,Brujon,1\nGavroche,MmeHucheloup,1\n"
    "Gillenormand,Magnon,1\nGillenormand,MlleGillenormand,9\nGillenormand,LtGillenormand,1\n"
    "Gillenormand,Marius,12\nGillenormand,BaronessT,1\nMlleGillenormand,MmePontmercy,1\n"
    "MlleGillenormand,MlleVaubois,1\nMlleGillenormand,LtGillenormand,2\nMlleGillenormand,Marius,6\n"
    "LtGillenormand,Marius,1\nMarius,BaronessT,1\nMarius,Mabeuf,1\nMarius,Enjolras,7\nMarius,Combeferre,5\n"
    "Marius,Feuilly,1\nMarius,Courfeyrac,9\nMarius,Bahorel,1\nMarius,Bossuet,5\nMarius,Joly,2\n"
    "Mabeuf,Enjolras,1\nMabeuf,Combeferre,2\nMabeuf,Feuilly,1\nMabeuf,Courfeyrac,2\nMabeuf,Bahorel,2\n"
    "Mabeuf,Bossuet,1\nMabeuf,Joly,1\nMabeuf,MotherPlutarch,3\nEnjolras,Combeferre,15\nEnjolras,Prouvaire,4\n"
    "Enjolras,Feuilly,6\nEnjolras,Courfeyrac,17\nEnjolras,Bahorel,4\nEnjolras,Bossuet,10\nEnjolras,Joly,5\n"
    "Enjolras,Grantaire,3\nEnjolras,Claquesous,1\nEnjolras,MmeHucheloup,1\nCombeferre,Prouvaire,2\n"
    "Combeferre,Feuilly,5\nCombeferre,Courfeyrac,13\nCombeferre,Bahorel,5\nCombeferre,Bossuet,9\n"
    "Combeferre,Joly,5\nCombeferre,Grantaire,1\nProuvaire,Feuilly,2\nProuvaire,Courfeyrac,3\n"
    "Prouvaire,Bahorel,2\nProuvaire,Bossuet,2\nProuvaire,Joly,2\nProuvaire,Grantaire,1\nFeuilly,Courfeyrac,6\n"
    "Feuilly,Bahorel,3\nFeuilly,Bossuet,6\nFeuilly,Joly,5\nFeuilly,Grantaire,1\nCourfeyrac,Bahorel,6\n"
    "Courfeyrac,Bossuet,12\nCourfeyrac,Joly,5\nCourfeyrac,Grantaire,2\nCourfeyrac,MmeHucheloup,1\n"
    "Bahorel,Bossuet,4\nBahorel,Joly,5\nBahorel,Grantaire,1\nBahorel,MmeHucheloup,1\nBossuet,Joly,7\n"
    "Bossuet,Grantaire,3\nBossuet,MmeHucheloup,1\nJoly,Grantaire,2\nJoly,MmeHucheloup,1\n"
    "Grantaire,MmeHucheloup,1\nGueulemer,Babet,6\nGueulemer,Claquesous,4\nGueulemer,Montparnasse,2\n"
    "Gueulemer,Brujon,3\nBabet,Claquesous,4\nBabet,Montparnasse,2\nBabet,Brujon,3\nClaquesous,Montparnasse,2\n"
    "Claquesous,Brujon,1\nMontparnasse,Brujon,1\nChild1,Child2,3\n";

static const hd_example examples[] = {
    {"example:karate", "friendships of a karate club: 34 vertices, 78 edges", karate, sizeof karate - 1},
    {"example:lesmis", "characters of Les Miserables: 77 vertices, 254 edges with weights", lesmis, sizeof lesmis - 1},
};

const hd_example *hd_example_at(size_t index) {
    return index < sizeof examples / sizeof *examples ? &examples[index] : NULL;
}

bool hd_example_names(const char *path) { return strncmp(path, "example:", 8) == 0; }

const hd_example *hd_example_find(const char *path) {
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (strcmp(examples[i].name, path) == 0)
            return &examples[i];
    return NULL;
}
