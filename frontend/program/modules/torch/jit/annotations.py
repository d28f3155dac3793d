from typing import List

BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = List
