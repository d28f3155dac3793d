
1
by_categoryX	
fusionX€*"loop fusion